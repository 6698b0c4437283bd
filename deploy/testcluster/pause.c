/* The process that holds a pod's namespaces: it waits, reaps what is left to it, and ends when told. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void end(int signal) {
    (void) signal;
    _exit(0);
}

static void reap(int signal) {
    (void) signal;
    while (waitpid(-1, 0, WNOHANG) > 0) {
    }
}

int main(void) {
    signal(SIGINT, end);
    signal(SIGTERM, end);
    signal(SIGCHLD, reap);
    for (;;) {
        pause();
    }
}
