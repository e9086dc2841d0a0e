import { join } from 'node:path'
import type { LocalProgram } from '../component.ts'
import { containerProgram } from '../containers/program.ts'
import { ensureFolder } from '../folders.ts'
import { areRealmsHealthy, type KeycloakOptions, startOptions } from './keycloak.ts'
import { realmFolder } from './keycloak-home.ts'
import { rememberImport } from './keycloak-realm.ts'

/** Where Keycloak's images have it. */
const home = '/opt/keycloak'

/** The same Keycloak as a container: no Java and no Maven on this machine, and the same addresses. */
export function keycloakContainer({ context, origin, dataDir, settings }: KeycloakOptions): LocalProgram {
  return {
    ports: ['identityProvider'],
    startTimeoutMs: 900_000,
    prepare: async () => {
      const database = join(dataDir, 'h2')
      ensureFolder(database)
      rememberImport(dataDir, settings)
      const { choice: _, ...program } = await containerProgram(
        {
          name: 'keycloak',
          image: 'KEYCLOAK_IMAGE',
          entrypoint: [`${home}/bin/kc.sh`],
          args: ['start', '--db=dev-file', '--cache=local', ...startOptions(context.ports.identityProvider, origin)],
          env: { ...settings, JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m', JAVA_OPTS_APPEND: '-XX:TieredStopAtLevel=1' },
          mounts: [
            { source: database, target: `${home}/data/h2`, mode: 'rw' },
            ...['parley', 'google-offline'].map((realm) => ({
              source: join(realmFolder, `realm-${realm}.json`),
              target: `${home}/data/import/${realm}-realm.json`,
              mode: 'ro' as const,
            })),
            { source: join(realmFolder, 'themes', 'parley'), target: `${home}/themes/parley`, mode: 'ro' },
          ],
          // The image's own files belong to this group, whoever runs them.
          group: 0,
        },
        context,
      )
      // The component has told its choice already.
      return program
    },
    isHealthy: () => areRealmsHealthy(origin),
  }
}
