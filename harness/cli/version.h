/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOUCHSTONE_VERSION_H
#define TOUCHSTONE_VERSION_H

/* Print the version, the commit that the program was built from (as text), the version of the plugin interface, and the
   digest of the suite of all operators, as a run of all of them prints it. Where the
   case files cannot be read, the reason takes the place of the digest. */
void version_print(const char *commit);

#endif
