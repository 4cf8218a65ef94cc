/* The part of Caliper's C interface that caliper_snapshots.hpp uses. It prints the records that Caliper would
 * write; with the real header in its place they go to Caliper's services. */
#pragma once

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define CALI_SCOPE_THREAD 2

typedef uint64_t cali_id_t;
typedef enum { CALI_TYPE_INV, CALI_TYPE_INT, CALI_TYPE_UINT, CALI_TYPE_STRING } cali_attr_type;
typedef enum { CALI_ATTR_DEFAULT = 0, CALI_ATTR_ASVALUE = 1 } cali_attr_properties;

typedef struct {
    cali_attr_type type;
    void const* text;
    uint64_t number;
} cali_variant_t;

static char const* cali_attributes[8];
static cali_id_t cali_attribute_count;

static inline cali_id_t cali_create_attribute(char const* name, cali_attr_type type, int properties) {
    (void)type;
    (void)properties;
    cali_attributes[cali_attribute_count] = name;
    return cali_attribute_count++;
}

static inline cali_variant_t cali_make_variant(cali_attr_type type, void const* text, size_t size) {
    cali_variant_t const value = {type, text, size};
    return value;
}

static inline cali_variant_t cali_make_variant_from_uint(uint64_t number) {
    cali_variant_t const value = {CALI_TYPE_UINT, NULL, number};
    return value;
}

static inline void cali_push_snapshot(int scope, int count, cali_id_t const attributes[],
                                      cali_variant_t const values[]) {
    char line[1024];
    int length = snprintf(line, sizeof line, "caliper, scope %d:", scope);
    for (int i = 0; i < count && length < (int)sizeof line; ++i) {
        char* const end = line + length;
        size_t const room = sizeof line - (size_t)length;
        char const* const name = cali_attributes[attributes[i]];
        if (values[i].type == CALI_TYPE_STRING)
            length +=
                snprintf(end, room, " %s='%.*s'", name, (int)values[i].number, (char const*)values[i].text);
        else length += snprintf(end, room, " %s=%" PRIu64, name, values[i].number);
    }
    puts(line);
}
