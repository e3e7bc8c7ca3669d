/*
 * sd_notify.h - readiness messages to the service manager, after sd_notify(3).
 *
 * https://www.freedesktop.org/software/systemd/man/sd_notify.html
 */
#ifndef SERVER_NET_SD_NOTIFY_H
#define SERVER_NET_SD_NOTIFY_H

/* Send "READY=1", "STOPPING=1", ... to $NOTIFY_SOCKET. Without one, or where it does not listen, nothing happens. */
void notify_manager(const char *state);

#endif
