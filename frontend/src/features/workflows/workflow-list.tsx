import NodeIndexOutlined from '@ant-design/icons/NodeIndexOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { type Workflow, workflowStatuses } from '@parley/contracts/workflows'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { explain } from '../../lib/explain.ts'
import { formatCount } from '../../lib/format.ts'
import cards from '../../ui/cards.module.css'
import { Counters } from '../../ui/counters.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterMenu } from '../../ui/filter-menu.tsx'
import { ListBar } from '../../ui/list-bar.tsx'
import { Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { SkeletonBlocks } from '../../ui/skeleton.tsx'
import { workflowListOptions, workflowSummaryOptions } from './api.ts'
import { CreateWorkflowDialog } from './create-workflow-dialog.tsx'
import { WorkflowCard } from './workflow-card.tsx'

interface ListState {
  readonly q?: string | undefined
  readonly status?: Workflow['status'] | undefined
  readonly new?: '1' | undefined
}

interface Listed {
  state: ListState
  onChange: (patch: ListState, how?: { replace?: boolean }) => void
}

const statusNames = { active: 'Active', paused: 'Paused' } as const

/** The workflows as cards, with search, filter and the dialog that creates one. */
export function WorkflowList({ state, onChange }: Listed) {
  return (
    <Page
      description="Workflows do the routine whenever something happens."
      actions={
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => onChange({ new: '1' })}>
          Create Workflow
        </Button>
      }
    >
      <Summary />
      <ListBar>
        <SearchField
          label="Search workflows"
          value={state.q ?? ''}
          onSearch={(q) => onChange({ q }, { replace: true })}
        />
        <FilterMenu
          groups={[
            {
              name: 'status',
              label: 'Status',
              many: false,
              options: workflowStatuses.map((value) => ({ value, label: statusNames[value] })),
              chosen: state.status ? [state.status] : [],
            },
          ]}
          onChange={(_, values) => onChange({ status: workflowStatuses.find((status) => status === values[0]) })}
        />
      </ListBar>
      <Cards state={state} onChange={onChange} />
      <CreateWorkflowDialog open={state.new === '1'} onClose={() => onChange({ new: undefined })} />
    </Page>
  )
}

function Summary() {
  const { data } = useQuery(workflowSummaryOptions())
  return (
    <Counters
      items={[
        { label: 'Total Workflows', value: data && formatCount(data.total) },
        { label: 'Active', value: data && formatCount(data.active) },
        { label: 'Total Executions', value: data && formatCount(data.executions) },
        { label: 'Success Rate', value: data && `${data.successRate}%` },
      ]}
    />
  )
}

function Cards({ state: { q, status }, onChange }: Listed) {
  const { data, error, isFetching, refetch } = useQuery(workflowListOptions({ q, status }))
  if (error && !isFetching)
    return (
      <ErrorState
        title="The workflows could not be loaded"
        message={explain(error, 'Nothing is lost. Check your connection and try again.')}
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <SkeletonBlocks count={6} height="162px" className={cards['grid']} />
  if (data.items.length > 0)
    return (
      <>
        <ul className={cards['grid']} aria-label="Workflows">
          {data.items.map((workflow) => (
            <WorkflowCard key={workflow.id} workflow={workflow} />
          ))}
        </ul>
        {data.total > data.items.length && (
          <p className={cards['sub']}>
            The first {formatCount(data.items.length)} of {formatCount(data.total)} workflows. Search to find the
            others.
          </p>
        )}
      </>
    )
  return q || status ? (
    <EmptyState
      icon={<NodeIndexOutlined />}
      title="No workflow matches"
      message="Try another word or another status."
      action={<Button onClick={() => onChange({ q: undefined, status: undefined })}>Clear filters</Button>}
    />
  ) : (
    <EmptyState
      icon={<NodeIndexOutlined />}
      title="No workflows yet"
      message="A workflow starts by itself when something happens and does the steps that you would do by hand: greet a new contact, ask for feedback, hand over to a colleague."
      action={<Button onClick={() => onChange({ new: '1' })}>Create your first workflow</Button>}
    />
  )
}
