#!/bin/sh
# chassis.sh start NAME ADDRESS REMOTES | stop NAME: one more chassis beside the host's own. It has a datapath that carries nothing.
set -eu
name=$2 here=/run/lab-chassis/$2
export OVS_RUNDIR=$here OVN_RUNDIR=$here
if [ "$1" = stop ]; then
    for daemon in ovn-controller ovs-vswitchd ovsdb-server; do
        ovs-appctl -t "$here/$daemon.$(cat "$here/$daemon.pid").ctl" exit
    done
    exit
fi
mkdir -p "$here"
ovsdb-tool create "$here/conf.db" /usr/share/openvswitch/vswitch.ovsschema
run="--detach --no-chdir --log-file=$here/log"
ovsdb-server $run --pidfile="$here/ovsdb-server.pid" "--remote=punix:$here/db.sock" "$here/conf.db"
ovs-vsctl "--db=unix:$here/db.sock" --no-wait -- init -- set Open_vSwitch . "external_ids:system-id=$name" "external_ids:hostname=$name" \
    "external_ids:ovn-remote=\"$4\"" external_ids:ovn-encap-type=geneve "external_ids:ovn-encap-ip=$3"
ovs-vswitchd $run --pidfile="$here/ovs-vswitchd.pid" --enable-dummy=override --disable-system "unix:$here/db.sock"
ovn-controller $run --pidfile="$here/ovn-controller.pid" -p /etc/ovn/vitro/key.pem -c /etc/ovn/vitro/cert.pem -C /etc/ovn/vitro/ca.pem "unix:$here/db.sock"
