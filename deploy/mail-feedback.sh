#!/bin/sh
# Posts a report that a mail server delivers on standard input: mail-feedback.sh HEADER_FILE URL
# (docs/operations.md). The exit code is for Postfix and Exim (sysexits.h): 0 removes the message from their queue, 75
# lets them deliver it again later, as for a wrong secret, which must not cost a report.
status=$(curl --silent --show-error --max-time 60 --output /dev/null --write-out '%{http_code}' \
  --header "@$1" --header 'Content-Type: message/rfc822' --data-binary @- "$2") || exit 75
case $status in
  # What is no report, or is too large, is the same next time.
  2?? | 400 | 413) exit 0 ;;
esac
echo "$2 responded with $status" >&2
exit 75
