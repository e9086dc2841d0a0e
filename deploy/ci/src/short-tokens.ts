import { askKeycloak } from './containers/keycloak-admin.ts'

/** Tokens of 100 s in the realm of the stack, for a load test that shall see one renewed: the app renews below 90 s. */
await askKeycloak('PUT', '', { accessTokenLifespan: 100 })
