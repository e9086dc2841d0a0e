/** Removes the test accounts of a run that was cut off: those of RUN_ID, or of every run that must have ended by now. */
import type { Options } from 'k6/options'
import { createProviderAdmin } from './src/k6/provider-admin.ts'
import { readTarget } from './src/target.ts'

export const options: Options = { iterations: 1, vus: 1 }

export default function removeUsers(): void {
  const count = createProviderAdmin(readTarget(__ENV, open)).removeAccounts(__ENV['RUN_ID'] || undefined)
  if (count > 0) console.log(`${count} test accounts were removed.`)
}

export const handleSummary = () => ({})
