import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { attributeField } from '@parley/contracts/contacts/contact-fields'
import { variablesIn } from '@parley/flow/variables'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Base } from '../../../records.ts'
import { createPersonViews } from '../../inbox/views/person-views.ts'
import { createPersonSegments } from '../segments/person-segments.ts'

/** Files of automation whose records name fields of contacts: drafts and versions of flows, and texts of settings. */
const flowFiles = ['flow-contents', 'bots', 'flow-settings'] as const

/** Looks for uses of fields before they are removed without a question. */
export function createFieldUses({
  mongo,
  openRecords,
  logger,
  contactRecords,
  campaignRecords,
}: Pick<Base, 'mongo' | 'openRecords' | 'logger' | 'contactRecords' | 'campaignRecords'>) {
  const places = [createPersonSegments(mongo), createPersonViews(mongo)]

  /**
   * @returns those that a contact has a value of, that conditions of a segment or of a view name, that a campaign which has not ended or its
   * draft is filled with, or that a flow names. Where automation does not answer, nobody knows: then all are used.
   */
  return async function usedFields(scope: WorkspaceScope, names: readonly string[]): Promise<ReadonlySet<string>> {
    const used = new Set<string>()
    if (names.length === 0) return used
    for (const name of names) if (await contactRecords.anyWithField(scope, name)) used.add(name)
    for (const place of places)
      for await (const { texts } of place.typed(scope)) {
        const conditions = JSON.stringify(texts)
        for (const name of names) if (conditions.includes(JSON.stringify(attributeField(name)))) used.add(name)
      }
    for (const { variables } of await campaignRecords.toBeFilled(scope)) {
      const sources = Object.values(variables).flatMap((source) => (source.kind === 'field' ? source.field : []))
      for (const name of names) if (sources.includes(attributeField(name))) used.add(name)
    }
    if (used.size === names.length) return used
    try {
      for (const file of flowFiles) await addNamed(await openRecords(scope, file), names, used)
    } catch (error) {
      logger.warn({ err: error }, 'fields of an import are kept: nobody knows whether flows use them')
      return new Set(names)
    }
    return used
  }
}

/** Adds the fields that records, as lines of JSON, name: as such, behind their prefix, or as a variable in a text. */
async function addNamed(lines: Readable, names: readonly string[], used: Set<string>): Promise<void> {
  const byWord = new Map(names.flatMap((name) => [[name, name] as const, [attributeField(name), name] as const]))
  const note = (word: string) => {
    const name = byWord.get(word)
    if (name !== undefined) used.add(name)
  }
  for await (const line of createInterface({ input: lines }))
    JSON.parse(line, (_key, value: unknown) => {
      if (typeof value !== 'string') return value
      note(value)
      for (const { name } of variablesIn(value)) note(name)
      return value
    })
}
