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

part() {
    echo "$((($1 + count - 1 - $2) / count))"
}

# Of several generators each has its part of the rates, and devices of its own: those behind the ones of the generators before it.
share() {
    count=${GENERATORS:-1}
    ordinal=${HOSTNAME##*-}
    if [ "$count" -eq 1 ]; then
        cat "$settings/stack.properties"
        return
    fi
    grep -vE '^(rate|shape-rate|devices)=' "$settings/stack.properties"
    for key in rate shape-rate; do
        rate=$(sed -n "s/^$key=//p" "$settings/stack.properties")
        if [ -n "$rate" ]; then printf '%s=%s\n' "$key" "$(part "$rate" "$ordinal")"; fi
    done
    devices=$(sed -n 's/^devices=//p' "$settings/stack.properties")
    first=0
    before=0
    while [ "$before" -lt "$ordinal" ]; do
        first=$((first + $(part "$devices" "$before")))
        before=$((before + 1))
    done
    printf 'devices=%s\nfirst-device=%s\nall-devices=%s\n' "$(part "$devices" "$ordinal")" "$first" "$devices"
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
