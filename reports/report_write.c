/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/report_write.h"

bool report_write(output *out, summary *m, store *s, const char *path, bool (*write)(void *context, store *s, error *e),
                  void *context, error *e)
{
    if (!output_open(out, path, e))
        return false;
    bool snapshot = store_snapshot(s, e);
    bool ok = snapshot && summary_read(m, s, e) && write(context, s, e);
    if (snapshot)
        ok = store_commit(s, e) && ok;
    summary_free(m);
    return output_close(out, ok, e);
}
