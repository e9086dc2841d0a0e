import CaretRightOutlined from '@ant-design/icons/CaretRightOutlined'
import CopyOutlined from '@ant-design/icons/CopyOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import EditOutlined from '@ant-design/icons/EditOutlined'
import PauseOutlined from '@ant-design/icons/PauseOutlined'
import type { FlowNodeType } from '@parley/contracts/automation/flow'
import type { Workflow } from '@parley/contracts/automation/workflows'
import { Button } from 'antd'
import { FlowStatus } from '../../flow-builder/flow-status.tsx'
import { explain } from '../../lib/explain.ts'
import { formatCount } from '../../lib/format.ts'
import { Link, useNavigate } from '../../lib/navigation.ts'
import cards from '../../ui/cards.module.css'
import { useConfirmation } from '../../ui/example.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { toast } from '../../ui/toast.ts'
import { workflows } from './api.ts'

const countOf = ({ draft }: Workflow, type: FlowNodeType) => draft.nodes.filter((node) => node.type === type).length

/** One workflow: how it does, and what can be done with it. */
export function WorkflowCard({ workflow }: { workflow: Workflow }) {
  const navigate = useNavigate()
  const tell = useConfirmation()
  const setStatus = workflows.useSetStatus(workflow)
  const remove = workflows.useRemove(workflow)
  const create = workflows.useCreate()
  const running = workflow.status === 'active'
  const address = `?workflow=${workflow.id}`

  const duplicate = () =>
    create.mutate(
      { name: `${workflow.name.slice(0, 73)} (copy)`, draft: workflow.draft },
      {
        onSuccess: ({ name }) => tell(`${name} created.`),
        onError: (error) => toast.error(explain(error, `${workflow.name} could not be duplicated.`)),
      },
    )

  return (
    <li className={cards['card']}>
      <div className={cards['head']}>
        <div className={cards['titles']}>
          <h2 className={cards['title']} dir="auto" title={workflow.name}>
            <Link to={address}>{workflow.name}</Link>
          </h2>
        </div>
        <FlowStatus status={workflow.status} />
        <RowMenu
          label={`Actions for ${workflow.name}`}
          actions={[
            { key: 'duplicate', label: 'Duplicate', icon: <CopyOutlined />, onSelect: duplicate },
            {
              key: 'delete',
              label: 'Delete',
              icon: <DeleteOutlined />,
              danger: true,
              onSelect: () => remove.mutate(),
            },
          ]}
        />
      </div>
      <dl className={cards['facts']}>
        <div>
          <dt>Triggers</dt>
          <dd>{formatCount(countOf(workflow, 'trigger'))}</dd>
        </div>
        <div>
          <dt>Actions</dt>
          <dd>{formatCount(countOf(workflow, 'action'))}</dd>
        </div>
        <div>
          <dt>Executions</dt>
          <dd>{formatCount(workflow.executions)}</dd>
        </div>
      </dl>
      <div className={cards['foot']}>
        <Button
          icon={running ? <PauseOutlined aria-hidden /> : <CaretRightOutlined aria-hidden />}
          aria-label={`${running ? 'Pause' : 'Start'} ${workflow.name}`}
          onClick={() => {
            if (!setStatus.isPending) setStatus.mutate(running ? 'paused' : 'active')
          }}
        >
          {running ? 'Pause' : 'Start'}
        </Button>
        <Button
          icon={<EditOutlined aria-hidden />}
          aria-label={`Edit ${workflow.name}`}
          onClick={() => void navigate(address)}
        >
          Edit
        </Button>
      </div>
    </li>
  )
}
