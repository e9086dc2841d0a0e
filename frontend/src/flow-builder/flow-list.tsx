import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { type PageOf, pageQueryFields } from '@parley/contracts/core/records'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { CardList, cardPageSize } from '../ui/card-list.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { CreateFlowDialog, type FlowCreation } from './create-flow-dialog.tsx'
import { flowStatuses, statusNames } from './flow-status.tsx'

/** Address state of a list of bots or workflows. */
export const flowListShape = {
  q: pageQueryFields.q,
  status: z.enum(flowStatuses).optional(),
  cursor: pageQueryFields.cursor,
  /** Page number of the cursor. */
  page: z.coerce.number().int().min(2).max(10_000).optional(),
  /** The dialog that creates one. */
  new: z.literal('1').optional(),
}
export type FlowListUrl = z.infer<z.ZodObject<typeof flowListShape>>

/** The call that reads the page which the address names. */
export const flowQueryOf = ({ q, status, cursor }: FlowListUrl) => ({ q, status, cursor, limit: cardPageSize })
export type FlowQuery = ReturnType<typeof flowQueryOf>

interface FlowListProps {
  url: FlowListUrl
  change: (patch: Partial<FlowListUrl>, how?: { replace?: boolean }) => void
}

interface Words {
  /** Its plural has an s. */
  readonly what: 'bot' | 'workflow'
  /** Label of the button that creates one. */
  readonly create: string
  readonly description: string
  /** Purpose, shown while there is none. */
  readonly purpose: string
}

interface Props<R> extends FlowListProps {
  list: Pick<UseQueryResult<PageOf<R>>, 'data' | 'error' | 'isFetching' | 'refetch'>
  words: Words
  creation: FlowCreation
  icon: ReactNode
  cardHeight: string
  card: (record: R) => ReactNode
  summary?: ReactNode
  /** Buttons beside the one that creates. */
  commands?: ReactNode
}

/** Bots or workflows as cards, with search and filter, and the dialog that creates one. */
export function FlowList<R>({
  list,
  url,
  change,
  words,
  creation,
  icon,
  cardHeight,
  card,
  summary,
  commands,
}: Props<R>) {
  return (
    <Page
      description={words.description}
      actions={
        <>
          {commands}
          <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => change({ new: '1' })}>
            {words.create}
          </Button>
        </>
      }
    >
      {summary}
      <CardList
        list={list}
        url={url}
        change={change}
        what={words.what}
        filters={[
          {
            name: 'status',
            label: 'Status',
            many: false,
            options: flowStatuses.map((value) => ({ value, label: statusNames[value] })),
            chosen: url.status ? [url.status] : [],
          },
        ]}
        empty={
          <EmptyState
            icon={icon}
            title={`No ${words.what}s yet`}
            message={words.purpose}
            action={<Button onClick={() => change({ new: '1' })}>Create your first {words.what}</Button>}
          />
        }
        failure="Nothing is lost. Check your connection and try again."
        cardHeight={cardHeight}
        card={card}
      />
      <CreateFlowDialog
        what={words.what}
        creation={creation}
        open={url.new === '1'}
        onClose={() => change({ new: undefined })}
      />
    </Page>
  )
}
