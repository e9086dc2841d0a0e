.PHONY: start test check doctor shots load help

help: ## What there is to make
	@grep -hE '^[a-z $$()]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /: /'

node_modules: package-lock.json
	npm ci && touch node_modules

start: node_modules ## Parley on this machine
	npm start
test: node_modules ## What `npm test` runs
	npm test
check: node_modules ## Static checks and unit tests
	npm run check
doctor: node_modules ## Looks for faults of the local stack
	npm run doctor
shots: node_modules ## A picture of every screen
	npm run shots
load: node_modules ## k6 on the sign-in path: SHAPE=smoke|average|stress|spike|soak TARGET=https://…
	npx --no-install node deploy/k6/src/run.ts
