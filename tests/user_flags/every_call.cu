#include "every_call.cpp"
