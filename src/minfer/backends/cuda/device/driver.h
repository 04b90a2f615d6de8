// Finding the CUDA driver at run time. The program is linked with the CUDA runtime only, which loads the driver itself;
// a machine without one is a machine without this backend, not an error.
#pragma once

namespace minfer::cuda {

// Loads the driver's library from where the system's linker does not look but drivers are commonly installed. Does
// nothing where it is found the usual way, or not at all. Called before anything else of CUDA.
void preload_driver();

// Devices that this process can use; 0 where there is no driver, or one that is too old for the runtime.
int device_count();

}  // namespace minfer::cuda
