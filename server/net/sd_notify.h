/*
 * sd_notify.h - state messages to the service manager, as sd_notify(3).
 *
 * https://www.freedesktop.org/software/systemd/man/sd_notify.html
 */
#ifndef SERVER_NET_SD_NOTIFY_H
#define SERVER_NET_SD_NOTIFY_H

#include <stdint.h>

/*
 * Send "READY=1", "STOPPING=1", ... to $NOTIFY_SOCKET. Does nothing if it is not set or nothing
 * listens there.
 */
void sd_notify_manager(const char *state);

/*
 * The same for messages that may be lost: nothing is sent if the manager has not read earlier
 * ones, so that this never blocks.
 */
void sd_notify_progress(const char *state);

/* Send RELOADING=1 before the reload on SIGHUP; send READY=1 when it is done. */
void sd_notify_reloading(void);

/*
 * Return the longest interval, in ms, in which the manager expects WATCHDOG=1, from WATCHDOG_USEC
 * and WATCHDOG_PID; 0: not expected from this process. See sd_watchdog_enabled(3).
 */
int64_t sd_notify_watchdog_ms(void);

#endif
