/* The part of NVTX 3's C interface that nvtx_ranges.hpp uses. It prints what a viewer would draw; with the
 * real header in its place ranges go to Nsight Systems. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_MESSAGE_TYPE_REGISTERED 3

typedef char* nvtxStringHandle_t;
typedef char* nvtxDomainHandle_t;

typedef union {
    char const* ascii;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct {
    uint16_t version;
    uint16_t size;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

static inline nvtxDomainHandle_t nvtxDomainCreateA(char const* name) { return strdup(name); }

static inline nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, char const* text) {
    printf("%s: register %s\n", domain, text);
    return strdup(text);
}

static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, nvtxEventAttributes_t const* event) {
    return printf("%s: push %s\n", domain, event->message.registered);
}

static inline int nvtxDomainRangePop(nvtxDomainHandle_t domain) { return printf("%s: pop\n", domain); }
