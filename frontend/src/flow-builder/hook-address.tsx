import { type HookCall, type HookResult, hookCallsPerMinute, hooksApi } from '@parley/contracts/automation/hooks'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { useIsRefused } from '../lib/choices/members.ts'
import { explain } from '../lib/explain.ts'
import { counted } from '../lib/format.ts'
import { hookKeys } from '../lib/query-keys.ts'
import { type Intent, useChange } from '../lib/use-change.ts'
import { useClock } from '../lib/use-clock.ts'
import { Copyable } from '../ui/copyable.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { StatusBadge } from '../ui/status-badge.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { toast } from '../ui/toast.ts'
import styles from './hook-address.module.css'
import form from './inspector.module.css'

/** Addresses of a workflow's triggers. */
const hooksOptions = (workflowId: string) =>
  queryOptions({
    queryKey: hookKeys.of(workflowId),
    queryFn: async ({ signal }) => (await call(hooksApi.list, { params: { id: workflowId }, signal })).items,
    staleTime: 0,
  })

/** The last calls of an address. */
const hookCallsOptions = (workflowId: string, nodeId: string) =>
  queryOptions({
    queryKey: hookKeys.calls(workflowId, nodeId),
    queryFn: async ({ signal }) => (await call(hooksApi.calls, { params: { id: workflowId, nodeId }, signal })).items,
    staleTime: 0,
  })

function useHookChange<O>(
  workflowId: string,
  run: (params: { id: string; nodeId: string }, intent: Intent) => Promise<O>,
) {
  const client = useQueryClient()
  return useChange({
    run: (nodeId: string, intent) => run({ id: workflowId, nodeId }, intent),
    onSuccess: () => client.invalidateQueries({ queryKey: hookKeys.of(workflowId) }),
  })
}

/** Makes the address of a trigger, in place of the one that it has. */
const useReplaceHook = (workflowId: string) =>
  useHookChange(workflowId, (params, intent) => call(hooksApi.replace, { params, ...intent }))
const useRevokeHook = (workflowId: string) =>
  useHookChange(workflowId, (params, intent) => call(hooksApi.revoke, { params, ...intent }))

const addressOf = (token: string): string => `${window.location.origin}/v1/hooks/${token}`

/** The address of a trigger, which is shown once, with the last calls. */
export function HookAddress({ workflowId, nodeId }: { workflowId: string; nodeId: string }) {
  const { data: hooks, error } = useQuery(hooksOptions(workflowId))
  const [token, setToken] = useState<string>()
  const [asks, setAsks] = useState<'replace' | 'revoke'>()
  const replace = useReplaceHook(workflowId)
  const revoke = useRevokeHook(workflowId)
  const mayNotPublish = useIsRefused('workflows:publish')
  const hook = hooks?.find((one) => one.nodeId === nodeId)

  async function make() {
    try {
      setToken((await replace.mutateAsync(nodeId)).token)
      setAsks(undefined)
    } catch (failure) {
      toast.error(explain(failure, 'The address could not be made. Try again.'))
    }
  }
  async function end() {
    try {
      await revoke.mutateAsync(nodeId)
      setToken(undefined)
      setAsks(undefined)
    } catch (failure) {
      toast.error(explain(failure, 'The address could not be revoked. Try again.'))
    }
  }

  return (
    <fieldset className={form['choices']}>
      <legend>Address</legend>
      {error && !hooks && <p role="alert">{explain(error, 'The address could not be loaded.')}</p>}
      {token !== undefined ? (
        <>
          <Alert type="warning" showIcon role="note" title="Copy the address now: it is not shown again." />
          <Copyable what="address" text={addressOf(token)} />
        </>
      ) : (
        hooks && (
          <p className={form['note']}>
            {hook
              ? `${addressOf(`…${hook.last4}`)}: whoever knows it can start this workflow.`
              : 'No system can call this trigger yet.'}
          </p>
        )
      )}
      {hooks && !mayNotPublish && (
        <div className={form['tools']}>
          <Button loading={replace.isPending && !hook} onClick={() => (hook ? setAsks('replace') : void make())}>
            {hook ? 'Replace address' : 'Create address'}
          </Button>
          {hook && (
            <Button danger onClick={() => setAsks('revoke')}>
              Revoke
            </Button>
          )}
        </div>
      )}
      <p className={form['note']}>
        POST JSON of up to 64 KiB, {hookCallsPerMinute} calls a minute. It answers while the workflow is published and
        active.
      </p>
      {hook && <Calls workflowId={workflowId} nodeId={nodeId} />}
      <ConfirmDialog
        open={asks === 'replace'}
        title="Replace the address?"
        confirmLabel="Replace"
        pending={replace.isPending}
        onConfirm={() => void make()}
        onClose={() => setAsks(undefined)}
      >
        Systems that call the address of now are refused at once, until they have the new one.
      </ConfirmDialog>
      <ConfirmDialog
        open={asks === 'revoke'}
        title="Revoke the address?"
        confirmLabel="Revoke"
        pending={revoke.isPending}
        onConfirm={() => void end()}
        onClose={() => setAsks(undefined)}
      >
        Systems that call it are refused at once.
      </ConfirmDialog>
    </fieldset>
  )
}

const results: Readonly<
  Record<HookResult, { readonly label: string; readonly tone: 'success' | 'warning' | 'danger' }>
> = {
  started: { label: 'Started', tone: 'success' },
  held: { label: 'Held', tone: 'warning' },
  enrolled: { label: 'Takes part already', tone: 'warning' },
  cool_down: { label: 'Too soon again', tone: 'warning' },
  filter: { label: 'Filtered out', tone: 'warning' },
  gone: { label: 'Nothing to start', tone: 'warning' },
  limit_reached: { label: 'Too many runs', tone: 'danger' },
  refused: { label: 'Refused', tone: 'danger' },
}

/** The last calls, with what was wrong and which fields came: their values are not kept. */
function Calls({ workflowId, nodeId }: { workflowId: string; nodeId: string }) {
  const mayNotWrite = useIsRefused('workflows:write')
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery({
    ...hookCallsOptions(workflowId, nodeId),
    enabled: !mayNotWrite,
  })
  const clock = useClock(dataUpdatedAt)
  if (mayNotWrite) return null
  return (
    <section className={styles['calls']} aria-label="Last calls">
      <div className={styles['head']}>
        <strong>Last calls</strong>
        <Button size="small" loading={isFetching} onClick={() => void refetch()}>
          Refresh
        </Button>
      </div>
      {error && !data && <p role="alert">{explain(error, 'The calls could not be loaded.')}</p>}
      {data?.length === 0 && <p className={form['note']}>None within a week.</p>}
      <ul className={styles['list']}>
        {data?.map((one) => (
          <Call key={one.id} call={one} clock={clock} />
        ))}
      </ul>
    </section>
  )
}

function Call({ call: one, clock }: { call: HookCall; clock: { now: Date; timeZone: string } }) {
  const { label, tone } = results[one.result]
  return (
    <li>
      <div className={styles['head']}>
        <StatusBadge tone={tone}>{label}</StatusBadge>
        <span className={form['note']}>
          <Timestamp at={one.at} {...clock} />
          {one.repeats > 0 && ` · ${counted(one.repeats, 'repeat')}`}
        </span>
      </div>
      {one.problem !== null && <p className={styles['problem']}>{one.problem}</p>}
      {one.fields.length > 0 && (
        <details>
          <summary>{counted(one.fields.length, 'field')}</summary>
          <ul className={styles['fields']}>
            {one.fields.map((field) => (
              <li key={field}>
                <code>{field}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}
