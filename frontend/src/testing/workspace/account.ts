import { invitationsApi } from '@parley/contracts/account/invitations'
import { membersApi } from '@parley/contracts/account/members'
import { workspaceApi } from '@parley/contracts/account/workspace'
import { dateAfter } from '@parley/contracts/core/zoned-time'
import { type NewView, type View, viewsApi } from '@parley/contracts/inbox/views'
import { notificationsApi } from '@parley/contracts/platform/notifications'
import { sampleDataApi } from '@parley/contracts/platform/sample-data'
import { billingApi, type Usage, usageApi } from '@parley/contracts/usage/usage'
import { daysIntoPeriod, facts } from '@parley/sample/facts'
import { usageByDay } from '@parley/sample/usage-by-day'
import { answer } from '../answer.ts'
import { pageOf } from '../page-of.ts'
import { refuseStale } from '../refusal.ts'
import { withoutAbsent } from '../without-absent.ts'
import { find, insert, newRecord, now, refuseTakenName, remove, type Workspace } from './workspace.ts'

const meterOf = (limit: number, used: number) => ({ limit, used, held: 0, left: limit - used })

/** Returns what the sample data says is used, beside the trial that the workspace is on. */
function usageOf(at: Date, isEmpty: boolean): Usage {
  const today = at.toISOString().slice(0, 10)
  const used = isEmpty ? { credits: 0, messages: 0 } : { credits: facts.creditsUsed, messages: facts.messagesSent }
  return {
    plan: facts.plan.name,
    price: facts.plan.monthlyPrice,
    choosable: true,
    from: dateAfter(today, -daysIntoPeriod),
    to: dateAfter(today, facts.resetsInDays),
    endsAt: new Date(at.getTime() + facts.resetsInDays * 86_400_000).toISOString(),
    credits: meterOf(facts.creditsLimit, used.credits),
    messages: meterOf(facts.messagesQuota, used.messages),
    renews: true,
    ended: false,
    limited: true,
    sample: { ...used, ownPlan: { id: 'free_trial', name: 'Free Trial', to: dateAfter(today, 14), ended: false } },
  }
}

/** The team, its notifications, its usage, and the views that it has saved. */
export function accountHandlers({ now: at, contacts, members, notifications, traffic }: Workspace) {
  const views = new Map<string, View>()
  const business = { name: 'Corner Shop', email: 'hello@cornershop.example', phone: '+918041234567' }
  const workspace = { ...newRecord('workspace'), id: 'workspace-1', ...business, createdBy: 'user-1' }
  const store = (view: NewView, { id, version }: Pick<View, 'id' | 'version'>): View => {
    const others = [...views.values()].filter((one) => one.id !== id && one.screen === view.screen)
    refuseTakenName(
      { code: 'view_exists', kind: 'view', field: 'name' },
      view.name,
      others.map(({ name }) => name),
    )
    return insert(views, { ...view, id, version })
  }
  return [
    answer(membersApi.list, ({ query }) => pageOf([...members.values()], query)),
    answer(invitationsApi.list, () => ({ items: [] })),
    answer(invitationsApi.mine, () => ({ items: [] })),
    answer(workspaceApi.list, () => ({ items: [{ id: 'workspace-1', name: business.name, role: 'owner' as const }] })),
    answer(workspaceApi.read, () => workspace),
    answer(workspaceApi.update, ({ body: { version, ...fields } }) => {
      refuseStale('workspace', workspace, version)
      Object.assign(workspace, withoutAbsent(fields), { version: version + 1 })
      return workspace
    }),
    answer(notificationsApi.list, ({ query }) => {
      const items = [...notifications.values()]
      return { ...pageOf(items, query), unread: items.filter(({ readAt }) => !readAt).length }
    }),
    answer(notificationsApi.markRead, ({ body }) => {
      for (const id of 'ids' in body ? body.ids : notifications.keys())
        insert(notifications, { ...find(notifications, id), readAt: now() })
      return undefined
    }),
    answer(usageApi.read, () => usageOf(at, contacts.size === 0)),
    answer(billingApi.periods, () => {
      const { from, to, credits, messages, plan: name, price } = usageOf(at, contacts.size === 0)
      const before = { from: dateAfter(from, -30), to: from, credits: 120, messages: 340, plan: null }
      return { items: [{ from, to, credits: credits.used, messages: messages.used, plan: { name, price } }, before] }
    }),
    answer(usageApi.days, () => {
      const today = at.toISOString().slice(0, 10)
      const days = contacts.size === 0 ? [] : usageByDay(traffic).slice(-14)
      return days.map((used, index, { length }) => ({ date: dateAfter(today, index + 1 - length), ...used }))
    }),
    // Pages say neither that they are on sample data nor how to get it while that is on its way.
    answer(sampleDataApi.state, () => ({ state: 'loading' as const })),

    answer(viewsApi.list, ({ query: { screen } }) => ({
      items: [...views.values()].filter((view) => view.screen === screen),
    })),
    answer(viewsApi.create, ({ body }) => store(body, newRecord('view'))),
    answer(viewsApi.update, ({ params: { id }, body: { version, ...view } }) => {
      refuseStale('view', find(views, id), version)
      return store(view, { id, version: version + 1 })
    }),
    answer(viewsApi.remove, ({ params }) => remove(views, params.id)),
  ]
}
