import PhoneOutlined from '@ant-design/icons/PhoneOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import type { WhatsAppNumber } from '@parley/contracts/channel/numbers'
import { idSchema } from '@parley/contracts/core/records'
import { writtenPhone } from '@parley/phone'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { z } from 'zod'
import { offerApproval } from '../../lib/approvals.ts'
import { explain } from '../../lib/explain.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { useLast } from '../../lib/use-last.ts'
import { AskApprovalDialog } from '../../ui/approval/ask-dialog.tsx'
import cards from '../../ui/cards.module.css'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { EmptyState, NotHere } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonBlocks, SkeletonTable } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useIsMobile } from '../../ui/use-media.ts'
import { numberListOptions, useRemoveNumber, useSimulateNumber } from './api.ts'
import { NumberList } from './number-list.tsx'
import styles from './numbers.module.css'

/** Loaded on demand: it brings every country's calling code, which the list does not need. */
const NewNumberDialog = lazy(async () => ({ default: (await import('./new-number-dialog.tsx')).NewNumberDialog }))

const ChecksDialog = lazy(async () => ({ default: (await import('./checks-dialog.tsx')).ChecksDialog }))

const ConfigureDialog = lazy(async () => ({ default: (await import('./configure-dialog.tsx')).ConfigureDialog }))

const address = {
  new: z.literal('1').optional(),
  configure: idSchema.optional(),
  checks: idSchema.optional(),
  delete: idSchema.optional(),
}

/** The numbers of a workspace, how they are doing, and the steps that connect one. */
export function NumbersPage() {
  const [state, change] = useUrlState(address)
  const { data } = useQuery(numberListOptions())
  const byId = (id: string | undefined) => data?.items.find((number) => number.id === id)
  const empty = data?.total === 0
  const adding = state.new === '1'
  const [wasAdding, setWasAdding] = useState(adding)
  if (adding && !wasAdding) setWasAdding(true)
  const canSimulate = data?.canSimulate === true
  const add = (
    <>
      {canSimulate && <SimulateButton primary={empty} />}
      <Button
        type={empty && canSimulate ? 'default' : 'primary'}
        icon={<PlusOutlined aria-hidden />}
        onClick={() => change({ new: '1' })}
      >
        Add New Number
      </Button>
    </>
  )
  return (
    <Page
      description="The WhatsApp Business numbers that your team, campaigns and bots send from."
      actions={data && !empty && add}
    >
      <Content
        wanted={state.configure}
        add={add}
        onConfigure={({ id }) => change({ configure: id })}
        onCheck={({ id }) => change({ checks: id })}
        onDelete={({ id }) => change({ delete: id })}
        onAll={() => change({ configure: undefined })}
      />
      {wasAdding && (
        <Suspense fallback={null}>
          <NewNumberDialog
            open={adding}
            onClose={() => change({ new: undefined })}
            onPending={({ id }) => change({ new: undefined, checks: id })}
          />
        </Suspense>
      )}
      <Suspense>
        <ChecksDialog number={byId(state.checks)} onClose={() => change({ checks: undefined })} />
        <ConfigureDialog number={byId(state.configure)} onClose={() => change({ configure: undefined })} />
      </Suspense>
      <DeleteDialog number={byId(state.delete)} onClose={() => change({ delete: undefined })} />
      <AskApprovalDialog />
    </Page>
  )
}

/** One press: a number on the simulator, connected and ready to be written to. */
function SimulateButton({ primary }: { primary: boolean }) {
  const simulate = useSimulateNumber()
  const phone = useIsMobile()
  return (
    <Button
      type={primary ? 'primary' : 'default'}
      aria-label="Connect a simulated number"
      loading={simulate.isPending}
      onClick={() =>
        simulate.mutate(undefined, {
          onSuccess: ({ displayName }) => toast.success(`${displayName} is connected. Open its phone and write to it.`),
          onError: (error) => toast.error(explain(error, 'The simulated number could not be connected. Try again.')),
        })
      }
    >
      {phone && !primary ? 'Simulated number' : 'Connect a simulated number'}
    </Button>
  )
}

type ListProps = Pick<Parameters<typeof NumberList>[0], 'onConfigure' | 'onCheck' | 'onDelete'>

function Content({
  wanted,
  add,
  onAll,
  ...actions
}: ListProps & { wanted: string | undefined; add: React.ReactNode; onAll: () => void }) {
  const { data, isLoadingError, isFetching, refetch } = useQuery(numberListOptions())
  const phone = useIsMobile()
  if (isLoadingError && !isFetching)
    return (
      <ErrorState
        title="The numbers could not be loaded"
        message="Your numbers are still connected. Check your connection and try again."
        onRetry={() => void refetch()}
      />
    )
  if (!data)
    return phone ? (
      <SkeletonBlocks count={3} height="325px" className={cards['grid']} />
    ) : (
      <SkeletonTable rows={3} height="66px" />
    )
  if (data.total === 0)
    return (
      <EmptyState
        icon={<PhoneOutlined />}
        title="Connect your first number"
        message={
          data.canSimulate
            ? 'Customers write to this number on WhatsApp, and your team answers from it. Begin with a simulated number, or connect your own with its IDs and an access token from Meta’s WhatsApp Manager.'
            : 'Customers write to this number on WhatsApp, and your team answers from it. You need its IDs and an access token from Meta’s WhatsApp Manager.'
        }
        action={<span className={styles['firstSteps']}>{add}</span>}
      />
    )
  if (wanted && !data.items.some(({ id }) => id === wanted)) return <NotHere what="number" onLeave={onAll} />
  return <NumberList numbers={data.items} {...actions} />
}

/** Asks before a number goes, and says what stays. */
function DeleteDialog({ number, onClose }: { number: WhatsAppNumber | undefined; onClose: () => void }) {
  const shown = useLast(number)
  const remove = useRemoveNumber()
  if (!shown) return null
  async function confirm({ id, displayName }: WhatsAppNumber) {
    try {
      await remove.mutateAsync(id)
      onClose()
      toast.success(`${displayName} is deleted.`)
    } catch (error) {
      if (offerApproval(error, { kind: 'number_removal', numberId: id })) return onClose()
      toast.error(explain(error, 'The number could not be deleted. Try again.'))
    }
  }
  return (
    <ConfirmDialog
      open={number !== undefined}
      title={`Delete ${shown.displayName}?`}
      confirmLabel="Delete Number"
      pending={remove.isPending}
      onConfirm={() => void confirm(shown)}
      onClose={onClose}
    >
      {writtenPhone(shown.phoneNumber)} will be disconnected and its access token deleted. Its conversations can still
      be read, but no one can reply until you connect the number again.
      {shown.isDefault && ' Another of your numbers will become the default.'}
    </ConfirmDialog>
  )
}
