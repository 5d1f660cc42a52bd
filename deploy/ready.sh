#!/bin/sh
# Says what "make deploy" lacks, all at once.
lacks=0
lack() {
	echo "make deploy: $*" >&2
	lacks=1
}
command -v databricks >/dev/null || lack "the Databricks CLI is missing: https://docs.databricks.com/dev-tools/cli/install.html"
for name in warehouse_id registry_catalog registry_schema ontobricks_url; do
	eval "value=\${BUNDLE_VAR_$name:-}"
	[ -n "$value" ] || lack "set BUNDLE_VAR_$name"
done
[ $lacks = 0 ] || lack "deploy/README.md says what these are"
exit $lacks
