import ApiOutlined from '@ant-design/icons/ApiOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { idSchema } from '@parley/contracts/core/records'
import type { Webhook } from '@parley/contracts/platform/webhooks'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { useIsRefused } from '../../lib/choices/members.ts'
import { explain } from '../../lib/explain.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { useClock } from '../../lib/use-clock.ts'
import { useLast } from '../../lib/use-last.ts'
import cards from '../../ui/cards.module.css'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { EmptyState, NotHere } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonBlocks, SkeletonTable } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useIsMobile } from '../../ui/use-media.ts'
import { whenOpened } from '../../ui/when-opened.tsx'
import { useRemoveWebhook, webhookListOptions } from './api.ts'
import { ConfigureDialog, type NewKey, NewWebhookDialog } from './webhook-dialog.tsx'
import { drawerTabs } from './webhook-labels.ts'
import { WebhookList } from './webhook-list.tsx'
import type { WebhookActions } from './webhook-parts.tsx'

const isShown = ({ webhook }: { readonly webhook: unknown }) => webhook !== undefined
const WebhookDrawer = whenOpened(async () => (await import('./webhook-drawer.tsx')).WebhookDrawer, isShown)
const TestDialog = whenOpened(async () => (await import('./test-dialog.tsx')).TestDialog, isShown)
const KeyDialog = whenOpened(
  async () => (await import('./key-dialog.tsx')).KeyDialog,
  ({ made }) => made !== undefined,
)

const noDetails = { tab: undefined, delivery: undefined }

const address = {
  new: z.literal('1').optional(),
  test: idSchema.optional(),
  configure: idSchema.optional(),
  delete: idSchema.optional(),
  webhook: idSchema.optional(),
  tab: z.enum(drawerTabs).optional(),
  delivery: idSchema.optional(),
}

/** The list of webhooks, the forms that make, change and test one, and its deliveries. */
export function WebhooksPage() {
  const [made, setMade] = useState<NewKey>()
  const isRefused = useIsRefused('webhooks:write')
  const [state, change] = useUrlState(address)
  const { data } = useQuery(webhookListOptions())
  const byId = (id: string | undefined) => data?.items.find((webhook) => webhook.id === id)
  const add = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => change({ new: '1' })}>
      Create New Webhook
    </Button>
  )
  return (
    <Page
      description="URLs that Parley calls when something happens on WhatsApp."
      actions={data?.total !== 0 && !isRefused && add}
    >
      <Content
        wanted={state.webhook ?? state.test ?? state.configure}
        add={!isRefused && add}
        onOpen={({ id }) => change({ webhook: id })}
        onTest={({ id }) => change({ test: id })}
        onConfigure={({ id }) => change({ configure: id })}
        onDelete={({ id }) => change({ delete: id })}
        onAll={() => change({ webhook: undefined, test: undefined, configure: undefined, ...noDetails })}
      />
      <NewWebhookDialog open={state.new === '1'} onClose={() => change({ new: undefined })} onKey={setMade} />
      <KeyDialog made={made} onClose={() => setMade(undefined)} />
      <WebhookDrawer
        webhook={byId(state.webhook)}
        tab={state.tab ?? 'deliveries'}
        delivery={state.delivery}
        onTab={(tab) => change({ tab, delivery: undefined })}
        onDelivery={(delivery) => change({ delivery })}
        onConfigure={({ id }) => change({ configure: id })}
        onKey={setMade}
        onClose={() => change({ webhook: undefined, ...noDetails })}
      />
      <TestDialog webhook={byId(state.test)} onClose={() => change({ test: undefined })} />
      <ConfigureDialog webhook={byId(state.configure)} onClose={() => change({ configure: undefined })} />
      <DeleteDialog webhook={byId(state.delete)} onClose={() => change({ delete: undefined })} />
    </Page>
  )
}

function Content({
  wanted,
  add,
  onAll,
  ...actions
}: WebhookActions & { wanted: string | undefined; add: ReactNode; onAll: () => void }) {
  const { data, dataUpdatedAt, isLoadingError, isFetching, refetch } = useQuery(webhookListOptions())
  const { now, timeZone } = useClock(dataUpdatedAt)
  const phone = useIsMobile()
  if (isLoadingError && !isFetching)
    return (
      <ErrorState
        title="The webhooks could not be loaded"
        message="They keep working. Check your connection and try again."
        onRetry={() => void refetch()}
      />
    )
  if (!data)
    return phone ? (
      <SkeletonBlocks count={5} height="233.5px" className={cards['grid']} />
    ) : (
      <SkeletonTable rows={5} height="66px" />
    )
  if (data.total === 0)
    return (
      <EmptyState
        icon={<ApiOutlined />}
        title="Tell your own systems what happens"
        message="A webhook calls your URL for every message received, delivered or failed, signed with a secret that only you know."
        action={add}
      />
    )
  if (wanted && !data.items.some(({ id }) => id === wanted)) return <NotHere what="webhook" onLeave={onAll} />
  return <WebhookList webhooks={data.items} now={now} timeZone={timeZone} {...actions} />
}

/** Asks before a webhook goes, by its name. */
function DeleteDialog({ webhook, onClose }: { webhook: Webhook | undefined; onClose: () => void }) {
  const shown = useLast(webhook)
  const remove = useRemoveWebhook()
  if (!shown) return null
  async function confirm({ id, name }: Webhook) {
    try {
      await remove.mutateAsync(id)
      onClose()
      toast.success(`${name} is deleted.`)
    } catch (error) {
      toast.error(explain(error, 'The webhook could not be deleted. Try again.'))
    }
  }
  return (
    <ConfirmDialog
      open={webhook !== undefined}
      title={`Delete ${shown.name}?`}
      confirmLabel="Delete Webhook"
      pending={remove.isPending}
      onConfirm={() => void confirm(shown)}
      onClose={onClose}
    >
      Nothing more will be sent to {shown.url}. Its secret and delivery log will be deleted.
    </ConfirmDialog>
  )
}
