import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { type Macro, type MacroAction, type macrosApi, maxMacros, type NewMacro } from '@parley/contracts/inbox/macros'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { HoldLimit } from '../../platform/limits/hold-limit.ts'
import type { MemberFactsService } from '../../platform/member-facts.ts'
import type { MacroRecord } from './macros.model.ts'
import { createMacrosRepository } from './macros.repository.ts'

type Changes = EndpointInput<typeof macrosApi.update>['body']

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly members: Pick<MemberFactsService, 'find'>
  readonly holdLimit: HoldLimit
  readonly transaction: RunInTransaction
}

export type MacrosService = ReturnType<typeof createMacrosService>

/** Named lists of actions, kept for the whole workspace. */
export function createMacrosService({ mongo, members, holdLimit, transaction }: Dependencies) {
  const macros = createMacrosRepository(mongo)

  const list = async (scope: WorkspaceScope): Promise<Macro[]> => show(scope, await macros.list(scope))

  /** @throws `macro_exists`, `too_many_macros`. */
  async function create(scope: WorkspaceScope, fields: NewMacro): Promise<Macro> {
    const made = transaction(async (tx) => {
      await holdLimit(scope, 'macros', tx)
      if ((await macros.size(scope, tx)) >= maxMacros)
        throw new AppError('too_many_macros', `A workspace has at most ${maxMacros} macros. Delete one first.`)
      return macros.create(scope, fields, tx)
    })
    return showOne(scope, await made.catch(refuseTaken(fields.name)))
  }

  /** @throws `not_found`, `macro_exists`, `stale_version`. */
  async function update(scope: WorkspaceScope, id: string, { version, name, actions }: Changes): Promise<Macro> {
    if (!isId(id)) throw noSuchMacro()
    const fields = { ...(name !== undefined && { name }), ...(actions !== undefined && { actions }) }
    const toAnswer = (record: MacroRecord) => toMacro(record, new Set())
    return showOne(scope, await macros.update(scope, { id, version, fields, toAnswer }).catch(refuseTaken(name)))
  }

  /** @throws `not_found`. */
  async function remove(scope: WorkspaceScope, id: string): Promise<void> {
    if (!isId(id) || !(await macros.remove(scope, id))) throw noSuchMacro()
  }

  /** A macro as its runner has seen it. @throws `not_found`; `stale_version` where it was changed since. */
  async function find(scope: WorkspaceScope, id: string, version: number): Promise<MacroRecord> {
    const record = isId(id) ? await macros.read(scope, id) : null
    if (!record) throw noSuchMacro()
    if (record.version === version) return record
    const message = 'This macro was changed meanwhile. Look at its actions again.'
    throw new AppError('stale_version', message, { current: await showOne(scope, record) })
  }

  async function show(scope: WorkspaceScope, records: readonly MacroRecord[]): Promise<Macro[]> {
    const ids = new Set(records.flatMap(({ actions }) => actions.flatMap((action) => memberOf(action) ?? [])))
    const { found, failure } = ids.size > 0 ? await members.find(scope, ids) : { found: new Map(), failure: undefined }
    // No member is said to have left where profile does not answer.
    const isAway = (id: string) => failure === undefined && found.get(id)?.active !== true
    return records.map((record) => toMacro(record, new Set([...ids].filter(isAway))))
  }

  async function showOne(scope: WorkspaceScope, record: MacroRecord): Promise<Macro> {
    const [macro] = await show(scope, [record])
    if (!macro) throw errors.internal()
    return macro
  }

  return { list, create, update, remove, find }
}

const memberOf = (action: MacroAction): string | undefined => (action.kind === 'assign' ? action.memberId : undefined)

const noSuchMacro = () => errors.notFound('There is no such macro.')

const refuseTaken = (name: string | undefined) => (error: unknown) => {
  if (!isDuplicateKey(error)) throw error
  const message = `There is a macro named ${name} already.`
  throw new AppError('macro_exists', message, { fields: { name: message } })
}

/** @param away those of the members whom it assigns who are no members any more. */
const toMacro = (
  { id, name, actions, version, createdAt, updatedAt }: MacroRecord,
  away: ReadonlySet<string>,
): Macro => ({
  id,
  name,
  actions: [...actions],
  version,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  problems: actions.flatMap((action, index) =>
    away.has(memberOf(action) ?? '')
      ? [{ index, message: 'This person is not a member of the workspace any more. Choose somebody else.' }]
      : [],
  ),
})
