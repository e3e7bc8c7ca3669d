/*
 * sizes.h - how large a world may get.
 */
#ifndef TESTS_SIM_SIZES_H
#define TESTS_SIM_SIZES_H


#define SIM_MEMBERS_MAX 50
#define SIM_KIOSK_UID   1002 /* who says that on a unix socket is the host's ssh kiosk */
#define SIM_ROOMS_MAX   8
#define SIM_NODES_MAX   5
#define SIM_KEYS_MAX    32 /* of nodes, with those that ended a moment ago */
#define SIM_CONNS_MAX   96
#define SIM_SHARES_MAX  16
#define SIM_COMMANDS_MAX 16
#define SIM_NOTICES_MAX 1024
#define SIM_HISTORY     128
#define SIM_STEPS       300
#define SIM_NIGHT_MS    INT64_C(43200000)

#endif
