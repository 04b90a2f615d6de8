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

template <typename R, typename... Args>
class FunctionRef<R(Args...)> {
 public:
  template <typename F>
  requires(!std::same_as<std::remove_cvref_t<F>, FunctionRef> &&
           std::is_object_v<std::remove_reference_t<F>> && std::is_invocable_r_v<R, F&, Args...>)
      FunctionRef(F&& callable)
  noexcept  // NOLINT(google-explicit-constructor): passing a lambda is the purpose
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, Args... args) -> R {
          auto& function = *static_cast<std::remove_reference_t<F>*>(object);
          if constexpr (std::is_void_v<R>) {
            std::invoke(function, std::forward<Args>(args)...);
          } else {
            return std::invoke(function, std::forward<Args>(args)...);
          }
        }) {}

  R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

}  // namespace minfer
