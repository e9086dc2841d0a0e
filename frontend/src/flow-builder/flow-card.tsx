import CaretRightOutlined from '@ant-design/icons/CaretRightOutlined'
import CopyOutlined from '@ant-design/icons/CopyOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import HistoryOutlined from '@ant-design/icons/HistoryOutlined'
import PauseOutlined from '@ant-design/icons/PauseOutlined'
import type { FlowKind, FlowSummary } from '@parley/contracts/automation/flow-summary'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useIsRefused } from '../lib/choices/members.ts'
import { explain } from '../lib/explain.ts'
import { counted, formatCount } from '../lib/format.ts'
import { Link, useNavigate } from '../lib/navigation.ts'
import cards from '../ui/cards.module.css'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { useHistoryAction } from '../ui/history-link.tsx'
import type { RowAction } from '../ui/row-dropdown.tsx'
import { RowMenu } from '../ui/row-menu.tsx'
import { toast } from '../ui/toast.ts'
import type { flowQueries } from './flow-queries.ts'
import type { flowRuns } from './flow-runs.ts'
import { FlowStatus } from './flow-status.tsx'
import { PauseDialog, PublishDialog } from './lazy-dialogs.tsx'

interface Props<S extends FlowSummary, R extends S> {
  flow: S
  flows: Pick<ReturnType<typeof flowQueries<S, R>>, 'useSetStatus' | 'useRemove'>
  runs: ReturnType<typeof flowRuns<R>>
  /** Actions before that which shows the runs. */
  actions?: readonly RowAction[]
  facts: readonly (readonly [label: string, value: string])[]
  /** `next start tomorrow`, between the version and the runs. */
  nextStart?: string | undefined
  /** Stands between the facts and the buttons. */
  children?: ReactNode
  /** Second button. */
  button: { readonly label: string; readonly name: string; readonly icon: ReactNode; readonly onClick: () => void }
}

/** One bot or workflow in its list: how it does, and what can be done with it. */
export function FlowCard<S extends FlowSummary, R extends S>(props: Props<S, R>) {
  const { flow, flows, runs, button } = props
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'publish' | 'pause' | 'delete'>()
  const setStatus = flows.useSetStatus(flow)
  const remove = flows.useRemove(flow)
  const duplicate = runs.useDuplicate(flow.id)
  const mayNotPublish = useIsRefused(`${runs.kind}s:publish`)
  const mayNotWrite = useIsRefused(`${runs.kind}s:write`)
  const historyOf = useHistoryAction()
  const isActive = flow.status === 'active'
  const address = `?${runs.kind}=${flow.id}`
  const [panel, panelLabel] = runs.kind === 'bot' ? ['sessions', 'Sessions'] : ['runs', 'Runs']

  const copy = () =>
    duplicate.mutate(`${flow.name.slice(0, 73)} (copy)`, {
      onSuccess: (created) => toast.success(`${created.name} created.`),
      onError: (error) => toast.error(explain(error, `${flow.name} could not be duplicated.`)),
    })
  const toggle = () => {
    if (setStatus.isPending) return
    if (!isActive && flow.publishedVersion === undefined) setDialog('publish')
    else if (isActive && flow.running > 0) setDialog('pause')
    else setStatus.mutate(isActive ? 'paused' : 'active')
  }

  return (
    <li className={cards['card']}>
      <div className={cards['head']}>
        <div className={cards['titles']}>
          <h2 className={cards['title']} dir="auto" title={flow.name}>
            <Link to={address}>{flow.name}</Link>
          </h2>
          <p className={cards['sub']}>{stateOf(flow, runs.kind === 'bot' ? 'session' : 'run', props.nextStart)}</p>
        </div>
        <FlowStatus status={flow.status} />
        <RowMenu
          label={`Actions for ${flow.name}`}
          actions={[
            ...(props.actions ?? []),
            {
              key: panel,
              label: panelLabel,
              icon: <HistoryOutlined />,
              onSelect: () => void navigate(`${address}&panel=${panel}`),
            },
            ...historyOf(flow.id),
            ...(mayNotWrite
              ? []
              : [
                  { key: 'duplicate', label: 'Duplicate', icon: <CopyOutlined />, onSelect: copy },
                  {
                    key: 'delete',
                    label: 'Delete',
                    icon: <DeleteOutlined />,
                    danger: true,
                    onSelect: () => (flow.running > 0 ? setDialog('delete') : remove.mutate()),
                  },
                ]),
          ]}
        />
      </div>
      <dl className={cards['facts']}>
        {props.facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {props.children}
      <div className={cards['foot']}>
        <Button
          icon={isActive ? <PauseOutlined aria-hidden /> : <CaretRightOutlined aria-hidden />}
          aria-label={`${isActive ? 'Pause' : 'Start'} ${flow.name}`}
          disabled={mayNotPublish}
          onClick={toggle}
        >
          {isActive ? 'Pause' : 'Start'}
        </Button>
        <Button icon={button.icon} aria-label={button.name} onClick={button.onClick}>
          {button.label}
        </Button>
      </div>
      <PublishDialog flow={flow} runs={runs} open={dialog === 'publish'} onClose={() => setDialog(undefined)} />
      <PauseDialog
        flow={flow}
        runs={runs}
        open={dialog === 'pause'}
        onPause={() => setStatus.mutate('paused')}
        onClose={() => setDialog(undefined)}
      />
      <ConfirmDialog
        open={dialog === 'delete'}
        title={`Delete ${flow.name}?`}
        confirmLabel="Delete"
        onConfirm={() => {
          setDialog(undefined)
          remove.mutate()
        }}
        onClose={() => setDialog(undefined)}
      >
        {endOf(flow.running, runs.kind)}
      </ConfirmDialog>
    </li>
  )
}

/** Says what a deletion does to what is under way, which no undo brings back. */
const endOf = (running: number, kind: FlowKind): string =>
  kind === 'bot'
    ? `${counted(running, 'session')} under way will end, and the conversations go to people. Undo brings the bot back, not its sessions.`
    : `${counted(running, 'run')} under way will end. Undo brings the workflow back, not its runs.`

/** Describes the state: the version that runs, its runs, and what a person has to look at. */
function stateOf(
  { publishedVersion, unpublishedChanges, running, attention }: FlowSummary,
  run: string,
  nextStart: string | undefined,
): string {
  if (publishedVersion === undefined) return 'Not published yet'
  return [
    `Version ${publishedVersion}${unpublishedChanges ? ' · draft differs' : ''}`,
    ...(nextStart === undefined ? [] : [nextStart]),
    ...(running > 0 ? [`${counted(running, run)} now`] : []),
    ...(attention > 0 ? [`${formatCount(attention)} to look at`] : []),
  ].join(' · ')
}
