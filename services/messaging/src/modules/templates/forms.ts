import type { EndpointResponse } from '@parley/contracts/core/endpoint'
import { type FormSummary, type formsApi, maxForms } from '@parley/contracts/templates/forms'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type FormAtWhatsApp, formCalls } from '../../whatsapp/form-calls.ts'
import type { AccountAccess } from '../../whatsapp/graph-pages.ts'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import { type FormRecord, formSchema } from './forms.model.ts'
import { isRunning, type TemplateSyncs } from './template-syncs.ts'

/** Maximum forms of a workspace that are listed. */
const maxListed = 1000

export type Forms = ReturnType<typeof createForms>

/** Forms of the workspace's accounts. They are made and published at WhatsApp; here they are only read. */
export function createForms({
  mongo,
  syncs,
  numbers: { accounts: accountsOf },
}: {
  readonly mongo: ServiceConnection
  readonly syncs: Pick<TemplateSyncs, 'of'>
  readonly numbers: Pick<NumbersService, 'accounts'>
}) {
  const forms = workspaceCollection<FormRecord>({ connection: mongo, name: 'forms', schema: formSchema })

  async function list(scope: WorkspaceScope): Promise<EndpointResponse<typeof formsApi.list>> {
    const [accounts, records, readings] = await Promise.all([
      accountsOf(scope),
      forms(scope).find({}).sort({ name: 1 }).limit(maxListed).hint('name'),
      syncs.of(scope),
    ])
    const times = readings.map(({ formsReadAt }) => formsReadAt?.getTime())
    const isRead = times.length > 0 && times.every((time) => time !== undefined)
    const problem = readings.find(({ formsProblem }) => formsProblem !== undefined)?.formsProblem
    return {
      items: records
        .filter(({ businessAccountId, state }) => accounts.includes(businessAccountId) && state !== 'deleted')
        .map(toSummary),
      running: readings.some((reading) => isRunning(reading, new Date())),
      readAt: isRead ? new Date(Math.min(...times.map(Number))).toISOString() : null,
      ...(problem !== undefined && { problem }),
    }
  }

  /** Reads those of some forms that an account has or had, by their ids at WhatsApp. */
  async function named(scope: WorkspaceScope, ids: readonly string[]): Promise<FormSummary[]> {
    if (ids.length === 0) return []
    const records = await forms(scope)
      .find({ waFlowId: { $in: [...new Set(ids)] } })
      .hint('form')
    return records.map(toSummary)
  }

  /** @returns why a form cannot be sent from a number of an account; `undefined` where it can. */
  async function whyNot(scope: WorkspaceScope, id: string, accountId: string): Promise<string | undefined> {
    const [form] = await named(scope, [id])
    if (!form) return 'This form does not exist at WhatsApp.'
    if (form.businessAccountId !== accountId) return `The form ${form.name} belongs to another account than the number.`
    if (form.hasEndpoint) return `The form ${form.name} asks a server of its own.`
    return form.state === 'published' ? undefined : `The form ${form.name} is ${form.state} at WhatsApp, not published.`
  }

  /** Stores an account's forms as WhatsApp lists them; the others of the account are gone. @throws GraphCallFailed */
  async function readAll(scope: WorkspaceScope, access: AccountAccess): Promise<void> {
    const { businessAccountId } = access
    const known = await forms(scope).find({}).sort({ name: 1 }).limit(maxListed).hint('name')
    const byId = new Map(known.map((record) => [record.waFlowId, record]))
    const seen = new Set<string>()
    for (const form of await formCalls.list(access, maxForms)) {
      seen.add(form.id)
      const fields = { businessAccountId, ...fieldsOf(form) }
      if (!isSame(byId.get(form.id), fields))
        await forms(scope).updateOne({ waFlowId: form.id }, { $set: fields }, { upsert: true })
    }
    const gone = known.filter((record) => record.businessAccountId === businessAccountId && !seen.has(record.waFlowId))
    if (gone.length > 0)
      await forms(scope).updateMany({ _id: { $in: gone.map(({ id }) => id) } }, { $set: { state: 'deleted' } })
  }

  return { list, named, whyNot, readAll }
}

type Fields = Pick<FormRecord, 'businessAccountId' | 'name' | 'state' | 'hasEndpoint'>

const states: Readonly<Record<string, FormRecord['state']>> = {
  PUBLISHED: 'published',
  // It may be sent ten times an hour.
  THROTTLED: 'published',
  BLOCKED: 'blocked',
  DEPRECATED: 'deprecated',
}

const fieldsOf = ({ name, status, endpoint_uri, data_api_version }: FormAtWhatsApp) => ({
  name: name.slice(0, 200),
  state: states[status] ?? ('draft' as const),
  hasEndpoint: Boolean(endpoint_uri || data_api_version),
})

const isSame = (record: FormRecord | undefined, fields: Fields): boolean =>
  record !== undefined && Object.entries(fields).every(([name, value]) => record[name as keyof Fields] === value)

const toSummary = ({ waFlowId, name, state, hasEndpoint, businessAccountId }: FormRecord): FormSummary => ({
  id: waFlowId,
  name,
  state,
  hasEndpoint,
  businessAccountId,
})
