import CaretRightOutlined from '@ant-design/icons/CaretRightOutlined'
import CopyOutlined from '@ant-design/icons/CopyOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import EditOutlined from '@ant-design/icons/EditOutlined'
import HistoryOutlined from '@ant-design/icons/HistoryOutlined'
import PauseOutlined from '@ant-design/icons/PauseOutlined'
import type { WorkflowSummary } from '@parley/contracts/automation/workflows'
import { Button } from 'antd'
import { useState } from 'react'
import { FlowStatus } from '../../flow-builder/flow-status.tsx'
import { PauseDialog, PublishDialog } from '../../flow-builder/lazy-dialogs.tsx'
import { useIsRefused } from '../../lib/choices/members.ts'
import { explain } from '../../lib/explain.ts'
import { counted, formatCount } from '../../lib/format.ts'
import { Link, useNavigate } from '../../lib/navigation.ts'
import { shortTime } from '../../lib/relative-time.ts'
import { useClock } from '../../lib/use-clock.ts'
import cards from '../../ui/cards.module.css'
import { useHistoryAction } from '../../ui/history-link.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { toast } from '../../ui/toast.ts'
import { runs, workflows } from './api.ts'

/** One workflow: how it does, and what can be done with it. */
export function WorkflowCard({ workflow }: { workflow: WorkflowSummary }) {
  const { timeZone } = useClock(0)
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'publish' | 'pause'>()
  const setStatus = workflows.useSetStatus(workflow)
  const remove = workflows.useRemove(workflow)
  const duplicate = runs.useDuplicate(workflow.id)
  const mayNotPublish = useIsRefused('workflows:publish')
  const mayNotWrite = useIsRefused('workflows:write')
  const historyOf = useHistoryAction()
  const isActive = workflow.status === 'active'
  const address = `?workflow=${workflow.id}`

  const copy = () =>
    duplicate.mutate(`${workflow.name.slice(0, 73)} (copy)`, {
      onSuccess: (created) => toast.success(`${created.name} created.`),
      onError: (error) => toast.error(explain(error, `${workflow.name} could not be duplicated.`)),
    })
  const toggle = () => {
    if (setStatus.isPending) return
    if (!isActive && workflow.publishedVersion === undefined) setDialog('publish')
    else if (isActive && workflow.running > 0) setDialog('pause')
    else setStatus.mutate(isActive ? 'paused' : 'active')
  }

  return (
    <li className={cards['card']}>
      <div className={cards['head']}>
        <div className={cards['titles']}>
          <h2 className={cards['title']} dir="auto" title={workflow.name}>
            <Link to={address}>{workflow.name}</Link>
          </h2>
          <p className={cards['sub']}>{stateOf(workflow, timeZone)}</p>
        </div>
        <FlowStatus status={workflow.status} />
        <RowMenu
          label={`Actions for ${workflow.name}`}
          actions={[
            {
              key: 'runs',
              label: 'Runs',
              icon: <HistoryOutlined />,
              onSelect: () => void navigate(`${address}&panel=runs`),
            },
            ...historyOf(workflow.id),
            ...(mayNotWrite
              ? []
              : [
                  { key: 'duplicate', label: 'Duplicate', icon: <CopyOutlined />, onSelect: copy },
                  {
                    key: 'delete',
                    label: 'Delete',
                    icon: <DeleteOutlined />,
                    danger: true,
                    onSelect: () => remove.mutate(),
                  },
                ]),
          ]}
        />
      </div>
      <dl className={cards['facts']}>
        <div>
          <dt>Triggers</dt>
          <dd>{formatCount(workflow.triggers)}</dd>
        </div>
        <div>
          <dt>Actions</dt>
          <dd>{formatCount(workflow.actions)}</dd>
        </div>
        <div>
          <dt>Executions</dt>
          <dd>{formatCount(workflow.executions)}</dd>
        </div>
      </dl>
      <div className={cards['foot']}>
        <Button
          icon={isActive ? <PauseOutlined aria-hidden /> : <CaretRightOutlined aria-hidden />}
          aria-label={`${isActive ? 'Pause' : 'Start'} ${workflow.name}`}
          disabled={mayNotPublish}
          onClick={toggle}
        >
          {isActive ? 'Pause' : 'Start'}
        </Button>
        <Button
          icon={<EditOutlined aria-hidden />}
          aria-label={`Edit ${workflow.name}`}
          onClick={() => void navigate(address)}
        >
          Edit
        </Button>
      </div>
      <PublishDialog flow={workflow} runs={runs} open={dialog === 'publish'} onClose={() => setDialog(undefined)} />
      <PauseDialog
        flow={workflow}
        runs={runs}
        open={dialog === 'pause'}
        onPause={() => setStatus.mutate('paused')}
        onClose={() => setDialog(undefined)}
      />
    </li>
  )
}

/** Describes a workflow's state: the version that runs, its runs, and what a person has to look at. */
function stateOf(
  { publishedVersion, unpublishedChanges, running, attention, nextStartAt }: WorkflowSummary,
  timeZone: string,
): string {
  if (publishedVersion === undefined) return 'Not published yet'
  return [
    `Version ${publishedVersion}${unpublishedChanges ? ' · draft differs' : ''}`,
    ...(nextStartAt === undefined ? [] : [`next start ${shortTime(new Date(nextStartAt), timeZone)}`]),
    ...(running > 0 ? [`${counted(running, 'run')} now`] : []),
    ...(attention > 0 ? [`${formatCount(attention)} to look at`] : []),
  ].join(' · ')
}
