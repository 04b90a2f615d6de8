// Nothing: CMakeLists.txt gives this unit the headers to compile for all tests.
