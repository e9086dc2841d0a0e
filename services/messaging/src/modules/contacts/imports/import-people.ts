import { errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { type ContactPart, partOfIds } from '../contact-query.ts'
import type { ImportRecord } from './imports.model.ts'
import type { ImportsRepository } from './imports.repository.ts'

/** Contacts in one part of a filter. */
const maxInPart = 5000
const ended: readonly ImportRecord['state'][] = ['done', 'stopped', 'failed']

export type ImportPeople = ReturnType<typeof createImportPeople>

/** Returns the contacts that imports have added or changed, as long as their rows are kept. */
export function createImportPeople(
  imports: Pick<ImportsRepository, 'read' | 'peopleOf' | 'fileNames'>,
  now = () => new Date(),
) {
  /** @throws `not_found`, also for an import of another workspace. */
  async function find(scope: WorkspaceScope, id: string): Promise<ImportRecord> {
    const record = isId(id) ? await imports.read(scope, id) : null
    if (!record) throw errors.notFound('There is no such import.')
    return record
  }

  /**
   * Returns the contacts of a batch of its rows; null behind the last one. @throws `not_found`, `wrong_state` where they are not
   * known any more.
   */
  async function batch(scope: WorkspaceScope, id: string, number: number): Promise<string[] | null> {
    if (number === 0) {
      const problem = problemOf(await find(scope, id))
      if (problem !== undefined) throw errors.wrongState(problem)
    }
    return imports.peopleOf(scope, id, number)
  }

  /** Returns all of its contacts, in disjoint parts. @throws `not_found`, `wrong_state`. */
  async function parts(scope: WorkspaceScope, id: string): Promise<ContactPart[]> {
    const people = new Set<string>()
    for (let number = 0, ids = await batch(scope, id, 0); ids; ids = await batch(scope, id, ++number))
      for (const contactId of ids) people.add(contactId)
    const all = [...people]
    return Array.from({ length: Math.ceil(all.length / maxInPart) }, (_, index) =>
      partOfIds(all.slice(index * maxInPart, (index + 1) * maxInPart)),
    )
  }

  /** Returns why the contacts it has added or changed cannot be written to; undefined where they can at that time. */
  function problemOf({ state, undone, keptUntil, fileName }: ImportRecord, at = now()): string | undefined {
    if (undone) return `The import of ${fileName} was undone.`
    if (!ended.includes(state)) return `The import of ${fileName} has not ended yet.`
    if (keptUntil && keptUntil > at) return undefined
    return `The import of ${fileName} is too old: you can send to the people of an import for 30 days.`
  }

  return { find, batch, parts, problemOf, fileNames: imports.fileNames }
}
