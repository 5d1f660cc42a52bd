#!/bin/sh
# Stages the folder of the Databricks App: stage.sh PROGRAM FOLDER. Databricks refuses
# files of 10 MB and more, so the program is compressed and cut into parts, which
# start.sh puts together.
set -eu
program=$1 folder=$2
limit=10000000
source=$(cd "$(dirname "$0")" && pwd)

url=${BUNDLE_VAR_ontobricks_url:-}
case $url in
"") echo "BUNDLE_VAR_ontobricks_url is not set: write the URL of OntoBricks into $folder/app.yaml before you deploy it." ;;
*[!A-Za-z0-9.:/_-]*) echo "BUNDLE_VAR_ontobricks_url is no plain URL: $url" >&2; exit 1 ;;
https://?*) ;;
http://127.0.0.1:*) ;; # tests
*) echo "BUNDLE_VAR_ontobricks_url must start with https://: $url" >&2; exit 1 ;;
esac

# What was not staged here is not deleted, whatever APP says.
if [ -n "$(ls -A "$folder" 2>/dev/null)" ] && ! [ -f "$folder/ontogate.gz" ] && ! [ -f "$folder/ontogate.gz.aa" ]; then
	echo "$folder holds something else than a staged app: choose another folder, or empty it" >&2
	exit 1
fi
rm -rf "$folder"
mkdir -p "$folder"
# Not in one pipe, whose status would be that of split: what is cut short would be staged.
gzip -9 -n -c "$program" >"$folder/ontogate.gz"
split -b 9000000 "$folder/ontogate.gz" "$folder/ontogate.gz."
rm "$folder/ontogate.gz"
if [ -n "$url" ]; then
	sed "s|https://ontobricks.invalid|$url|" "$source/../app.yaml" >"$folder/app.yaml"
	grep -qF "\"$url\"" "$folder/app.yaml" || { echo "app.yaml has no place for the URL of OntoBricks" >&2; exit 1; }
else
	cp "$source/../app.yaml" "$folder/app.yaml"
fi
cp "$source/start.sh" "$folder/start.sh"

for file in "$folder"/*; do
	bytes=$(($(wc -c <"$file")))
	echo "$file: $bytes bytes"
	if [ "$bytes" -ge "$limit" ]; then
		echo "$file is too large: Databricks Apps takes files of less than $limit bytes" >&2
		exit 1
	fi
done
