.PHONY: start test check doctor journeys shots cluster load

node_modules: package-lock.json
	npm ci && touch node_modules

start: node_modules
	npm start
test: node_modules
	npm test
check: node_modules
	npm run check
doctor: node_modules
	npm run doctor
journeys: node_modules
	npm run journeys
shots: node_modules
	npm run shots
cluster: node_modules
	npx node deploy/ci/src/cluster.ts
load: node_modules
	npx --no-install node deploy/k6/src/run.ts
