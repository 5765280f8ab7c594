/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mutate OUTPUT-FOLDER (SOURCE TREE.json NAME OUTPUT)...
 *
 * Write a copy of each file of the reference and the kernels with its mutants (OUTPUT), and mutants_table.c, which
 * lists all mutants. Only the build runs this program; docs/audit.md describes its place.
 */
#include "audit/mutate/generate.h"

#include <stdlib.h>
#include <string.h>

static void write_string(const char *text, FILE *out)
{
    fputc('"', out);
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static bool write_table(const generator *g, const char *folder, int files)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/mutants_table.c", folder);
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    fputs("/* Generated. */\n#include \"audit/mutate/schemata_state.h\"\n\nstatic const mutant mutants[] = {\n", out);
    for (uint32_t i = 0; i < g->count; ++i) {
        const generate_mutant *m = &g->mutants[i];
        fputs("    { ", out);
        write_string(m->id, out);
        fputs(", ", out);
        write_string(m->file, out);
        fputs(", ", out);
        write_string(m->function, out);
        fputs(", ", out);
        write_string(m->original, out);
        fprintf(out, ", %u, %d, %s },\n", m->line, m->table, m->kernel ? "MUTANT_OF_KERNELS" : "MUTANT_OF_REFERENCE");
    }
    fputs("};\n\n", out);
    for (int i = 0; i < files; ++i)
        fprintf(out, "extern const schemata_patch schemata_patches_%d[];\n", i);
    fputs("static const schemata_patch *const patches[] = { ", out);
    for (int i = 0; i < files; ++i)
        fprintf(out, "schemata_patches_%d, ", i);
    fprintf(out, "NULL };\n\nconst schemata_table schemata_all = { mutants, %u, patches };\n", (unsigned)g->count);
    return fclose(out) == 0;
}

int main(int argc, char **argv)
{
    generator g = { .count = 0 };
    if (argc < 6 || (argc - 2) % 4 != 0) {
        fprintf(stderr, "usage: mutate OUTPUT-FOLDER (SOURCE TREE.json NAME OUTPUT)...\n");
        return 64;
    }
    int files = (argc - 2) / 4, status = 0;
    for (int i = 0; i < files && status == 0; ++i) {
        char **four = argv + 2 + 4 * i;
        ast_file *f = ast_read(four[0], four[1]);
        FILE *out = f ? fopen(four[3], "w") : NULL;
        if (!out) {
            fprintf(stderr, "mutate: %s: cannot write the file\n", four[3]);
            status = 1;
        } else {
            fprintf(out, "#define SCHEMATA_PATCHES schemata_patches_%d\n", i);
            generate_file(&g, f, four[2], out);
            status = fclose(out) != 0;
        }
        ast_free(f);
    }
    if (status == 0 && (g.failed || !write_table(&g, argv[1], files))) {
        fprintf(stderr, "mutate: %s\n", g.failed ? "out of memory" : "cannot write mutants_table.c");
        status = 1;
    }
    generate_free(&g);
    return status;
}
