/*
 * sd_notify.h - readiness messages to the service manager, after sd_notify(3).
 *
 * https://www.freedesktop.org/software/systemd/man/sd_notify.html
 */
#ifndef SERVER_NET_SD_NOTIFY_H
#define SERVER_NET_SD_NOTIFY_H

#include <stdint.h>

/* Send "READY=1", "STOPPING=1", ... to $NOTIFY_SOCKET. Without one, or where it does not listen, nothing happens. */
void sd_notify_manager(const char *state);

/* The same for what a manager may miss: nothing is sent where it is behind with reading, so that this never waits. */
void sd_notify_progress(const char *state);

/* Before what SIGHUP asks for; READY=1 follows when that is done. */
void sd_notify_reloading(void);

/*
 * Every how many ms the manager wants a WATCHDOG=1 at the latest, from WATCHDOG_USEC and
 * WATCHDOG_PID; 0: it wants none of this process. See sd_watchdog_enabled(3).
 */
int64_t sd_notify_watchdog_ms(void);

#endif
