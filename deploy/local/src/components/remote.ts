import type { Component } from '../component.ts'
import { hostOf } from '../environment.ts'

/** The server that a variable of the environment names. */
export const remoteComponent = (
  base: Pick<Component, 'name' | 'label' | 'needs'>,
  { variable, url, isHealthy }: { variable: string; url: string; isHealthy: (url: string) => Promise<boolean> },
): Component => ({
  ...base,
  kind: 'real',
  address: hostOf(url),
  dataAt: 'there',
  env: {},
  choice: { source: 'environment', what: hostOf(url) },
  remote: { variable, isHealthy: () => isHealthy(url) },
})
