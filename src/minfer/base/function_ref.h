// FunctionRef<R(Args...)>: a non-owning reference to something callable, two pointers wide; no allocation, no
// copy. Like a reference it must not outlive the callable, so use it for parameters only, never as a member.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace minfer {

template <typename Signature>
class FunctionRef;

// An object (not a plain function) that Ref can stand for: called with Args it gives an R. Not Ref itself, whose
// copies are plain copies.
template <typename F, typename Ref, typename R, typename... Args>
concept ReferableCallable =
    !std::same_as<std::remove_cvref_t<F>, Ref> && std::is_object_v<std::remove_reference_t<F>> &&
    std::is_invocable_r_v<R, F&, Args...>;

template <typename R, typename... Args>
class FunctionRef<R(Args...)> {
 public:
  template <ReferableCallable<FunctionRef, R, Args...> F>
  // NOLINTNEXTLINE(google-explicit-constructor,bugprone-forwarding-reference-overload): lambdas convert
  FunctionRef(F&& callable) noexcept
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))), call_(call<F>) {}

  R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  template <typename F>
  static R call(void* object, Args... args) {
    auto& callable = *static_cast<std::remove_reference_t<F>*>(object);
    if constexpr (std::is_void_v<R>) {
      std::invoke(callable, std::forward<Args>(args)...);
    } else {
      return std::invoke(callable, std::forward<Args>(args)...);
    }
  }

  void* object_;
  R (*call_)(void*, Args...);
};

}  // namespace minfer
