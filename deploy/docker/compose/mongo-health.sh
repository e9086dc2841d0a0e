#!/bin/bash
# Exit code 0 if MongoDB takes writes: {hello: 1} as an OP_MSG, answered without a password. Not every image has mongosh.
exec 3<>/dev/tcp/127.0.0.1/27017 || exit 1
printf '\x34\0\0\0\x01\0\0\0\0\0\0\0\xdd\x07\0\0\0\0\0\0\0\x1f\0\0\0\x10hello\0\x01\0\0\0\x02$db\0\x06\0\0\0admin\0\0' >&3
timeout 2 dd bs=8192 count=1 <&3 2>/dev/null | LC_ALL=C grep --text --quiet --perl-regexp 'isWritablePrimary\x00\x01'
