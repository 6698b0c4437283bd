# Joins what a process is told: settings that everybody may see, and below /etc/broker the broker's secrets, each in a file that is called as the
# option it is the value of. For the job its jars too. $1: a folder for all of it, that goes with the pod.
set -eu
settings=${SETTINGS:-/etc/millrace}
secrets=${SECRETS:-/etc/broker}
millrace=${MILLRACE:-/opt/millrace}
umask 077

broker() {
    grep -v '^#' "$settings/broker.properties"
    for file in "$secrets"/option/*; do
        if [ -f "$file" ]; then printf '%s=%s\n' "${file##*/}" "$(cat "$file")"; fi
    done
}

# Of several generators each has its part of the rate and of the devices, which another seed calls otherwise.
share() {
    count=${GENERATORS:-1}
    ordinal=${HOSTNAME##*-}
    if [ "$count" -eq 1 ]; then
        cat "$settings/stack.properties"
        return
    fi
    grep -vE '^(rate|devices|seed)=' "$settings/stack.properties"
    for key in rate devices; do
        all=$(sed -n "s/^$key=//p" "$settings/stack.properties")
        printf '%s=%s\n' "$key" "$(((all + count - 1 - ordinal) / count))"
    done
    seed=$(sed -n 's/^seed=//p' "$settings/stack.properties")
    printf 'seed=%s\n' "$((${seed:-1} + ordinal))"
}

if [ -f "$settings/job.properties" ]; then
    {
        grep '^broker=' "$settings/stack.properties"
        broker | sed 's/^/broker./'
        cat "$settings/job.properties"
    } >"$1/job.properties"
    mkdir -p "$1/usrlib"
    cp "$millrace"/connectors/job/target/millrace-job.jar "$millrace"/brokers/*/target/plugin/*.jar \
        "$millrace"/lib/flink-connector-base-*.jar "$1/usrlib"
    chmod -R a+rX "$1/usrlib"
else
    broker >"$1/broker.properties"
    share >"$1/stack.properties"
fi
