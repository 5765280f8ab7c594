/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: a layer over SQLite's file system that reports a full disk after a number of writes. */
#ifndef TOUCHSTONE_SMALL_DISK_TESTING_H
#define TOUCHSTONE_SMALL_DISK_TESTING_H

#include <sqlite3.h>
#include <stddef.h>

static int small_disk_writes_left;

static sqlite3_vfs small_disk;
static sqlite3_vfs *real_disk;
/* SQLite has one table of methods for the database, which is locked, and one for its journals. */
static sqlite3_io_methods small_methods[2];
static const sqlite3_io_methods *real_methods[2];

static int small_write(sqlite3_file *file, const void *bytes, int n, sqlite3_int64 offset)
{
    int which = file->pMethods == &small_methods[1];
    return small_disk_writes_left-- > 0 ? real_methods[which]->xWrite(file, bytes, n, offset) : SQLITE_FULL;
}

static int small_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *out_flags)
{
    (void)vfs;
    int which = (flags & SQLITE_OPEN_MAIN_DB) == 0;
    int code = real_disk->xOpen(real_disk, name, file, flags, out_flags);
    if (code == SQLITE_OK && file->pMethods) {
        real_methods[which] = file->pMethods;
        small_methods[which] = *file->pMethods;
        small_methods[which].xWrite = small_write;
        file->pMethods = &small_methods[which];
    }
    return code;
}

/* Databases that are opened from here on are on the small disk. */
static inline void small_disk_begin(void)
{
    real_disk = sqlite3_vfs_find(NULL);
    small_disk = *real_disk;
    small_disk.zName = "small";
    small_disk.xOpen = small_open;
    sqlite3_vfs_register(&small_disk, 1);
}

static inline void small_disk_end(void)
{
    sqlite3_vfs_unregister(&small_disk);
    sqlite3_vfs_register(real_disk, 1);
}

#endif
