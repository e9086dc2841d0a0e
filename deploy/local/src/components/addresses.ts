import { jwksPath } from '@parley/contracts/core/internal-token'
import { operationsPort, type ProcessName } from '@parley/processes/processes'
import type { StackContext } from '../component.ts'
import { portOf } from '../ports.ts'

type WithPorts = Pick<StackContext, 'ports' | 'pagePort'>

/** Returns the app's origin as a browser calls it. */
export const publicOrigin = ({ ports, pagePort }: WithPorts): string => `http://localhost:${pagePort ?? ports.app}`

/** A process as the others on this machine call it. */
export const processOrigin = ({ ports }: WithPorts, name: ProcessName): string =>
  `http://127.0.0.1:${ports[portOf(name, 'http')]}`

/** Returns the URL at which a process publishes the keys of its tokens. */
export const jwksUrl = ({ ports }: WithPorts, name: ProcessName): string =>
  `http://127.0.0.1:${ports[portOf(name, operationsPort(name))]}${jwksPath}`
