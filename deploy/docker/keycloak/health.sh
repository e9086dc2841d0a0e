#!/bin/bash
# Exit code 0 if Keycloak can serve. The image has no curl.
exec 3<>/dev/tcp/127.0.0.1/9000 || exit 1
printf 'GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r -t 3 line <&3 && [[ $line == *' 200 '* ]]
