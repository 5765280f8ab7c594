/* SPDX-License-Identifier: Apache-2.0 */
/* main() of a fuzz target without libFuzzer: gives each FILE to the target, once. Ends with 0, or with 1 after a file
   that cannot be read; what a target finds ends the process. */
#include "fuzz/fuzz.h"

int main(int count, char **files)
{
    for (int i = 1; i < count; ++i) {
        FILE *file = fopen(files[i], "rb");
        uint8_t *data = NULL;
        size_t size = 0, room = 0;
        fprintf(stderr, "%s\n", files[i]); /* the last one is what a target found */
        while (file && !feof(file) && !ferror(file)) {
            if (size == room) {
                room = room * 2 + 4096;
                if (!(data = realloc(data, room)))
                    abort();
            }
            size += fread(data + size, 1, room - size, file);
        }
        if (!file || ferror(file)) {
            perror(files[i]);
            return 1;
        }
        fclose(file);
        LLVMFuzzerTestOneInput(data, size);
        free(data);
    }
    return 0;
}
