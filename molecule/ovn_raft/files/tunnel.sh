#!/bin/sh
# The kernel of the machine has neither Open vSwitch nor Geneve. A tunnel of userspace leaves through a bridge that has its address; what
# the network of the host has given the interface stays, and the bridge has the shorter way.
set -eu
port=$1 address=$2
mac=$(cat "/sys/class/net/$port/address")
ovs-vsctl --may-exist add-br br-phy -- set bridge br-phy datapath_type=netdev "other-config:hwaddr=$mac" -- --may-exist add-port br-phy "$port"
ovs-vsctl set interface br-phy "mtu_request=$(cat "/sys/class/net/$port/mtu")"
ip address replace "$address/25" dev br-phy
ip link set br-phy up
