// The exceptions that minfer throws. Everything a file, a user, a request or a device can cause arrives as
// one of these, with the offending values in what(); nothing else escapes the library.
#pragma once

#include <stdexcept>
#include <string>

namespace minfer {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A model file (or session file) is malformed, truncated or inconsistent.
class InvalidFileError : public Error {
 public:
  using Error::Error;
};

// A well-formed input asks for something this build, model or backend does not do.
class UnsupportedError : public Error {
 public:
  using Error::Error;
};

// A caller's argument or request is out of range or contradictory.
class InvalidRequestError : public Error {
 public:
  using Error::Error;
};

// A device failed. Sticky: later calls on the same backend throw as well.
class DeviceError : public Error {
 public:
  using Error::Error;
};

// Memory that is needed cannot be had; the message gives needed and available bytes.
class OutOfMemoryError : public Error {
 public:
  using Error::Error;
};

// The run was stopped through its stop token. Sequences keep their former length.
class CancelledError : public Error {
 public:
  using Error::Error;
};

// An invariant of minfer itself does not hold: always a bug in minfer.
class InternalError : public Error {
 public:
  using Error::Error;
};

}  // namespace minfer
