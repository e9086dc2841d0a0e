import CheckOutlined from '@ant-design/icons/CheckOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import EditOutlined from '@ant-design/icons/EditOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import type { NewView, View, ViewScreen } from '@parley/contracts/inbox/views'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useIsRefused } from '../lib/choices/members.ts'
import { useRemoveView, useSaveView, viewChoices } from '../lib/choices/views.ts'
import { explain } from '../lib/explain.ts'
import { offerUndo } from '../lib/undo.ts'
import { ErrorState } from './error-state.tsx'
import { IconButton } from './icon-button.tsx'
import { SkeletonBlocks } from './skeleton.tsx'
import { toast } from './toast.ts'
import { ViewForm } from './view-form.tsx'
import styles from './views-list.module.css'

interface Props {
  screen: ViewScreen
  /** Filters and order as the list has them now. */
  shown: View['query']
  onShow: (query: View['query']) => void
}

/** The views of a list in a popover, and the form that saves one. */
export function ViewsList({ screen, shown, onShow }: Props) {
  const { data: views, isLoadingError, refetch } = useQuery(viewChoices(screen))
  const mayNotShare = useIsRefused('segments:write')
  const [editing, setEditing] = useState<{ view: View | undefined }>()
  const { mutateAsync: remove } = useRemoveView()
  const { mutateAsync: save } = useSaveView()
  const now = { screen, query: withoutAbsent(shown) } as Pick<NewView, 'screen' | 'query'>

  async function deleteView(view: View): Promise<void> {
    const { id: _id, version: _version, ...fields } = view
    try {
      await remove(view)
      offerUndo(`View ${view.name} deleted.`, async () => {
        await save({ of: undefined, view: fields })
      })
    } catch (error) {
      toast.error(explain(error, 'The view could not be deleted. Try again.'))
    }
  }

  if (editing)
    return (
      <ViewForm
        view={editing.view}
        now={now}
        isShown={editing.view !== undefined && isSame(editing.view.query, now.query)}
        mayShare={!mayNotShare}
        onSaved={(saved) => {
          toast.success(`View ${saved.name} saved.`)
          setEditing(undefined)
        }}
        onCancel={() => setEditing(undefined)}
      />
    )
  if (isLoadingError)
    return (
      <div className={styles['views']}>
        <ErrorState title="The views could not be loaded" message="Try again." onRetry={() => void refetch()} />
      </div>
    )
  if (!views)
    return (
      <div className={styles['views']}>
        <SkeletonBlocks count={2} height="32px" />
      </div>
    )
  return (
    <div className={styles['views']}>
      {views.length === 0 && (
        <p className={styles['none']}>Filter and sort the list as you need it, then save that under a name.</p>
      )}
      {[true, false].map((shared) => (
        <Group
          key={String(shared)}
          label={shared ? 'Everyone’s' : 'Yours'}
          views={views.filter((view) => view.shared === shared)}
          isShown={({ query }) => isSame(query, now.query)}
          mayChange={!shared || !mayNotShare}
          onChoose={({ query }) => onShow(query)}
          onEdit={(view) => setEditing({ view })}
          onDelete={(view) => void deleteView(view)}
        />
      ))}
      <Button icon={<PlusOutlined aria-hidden />} onClick={() => setEditing({ view: undefined })}>
        Save this view
      </Button>
    </div>
  )
}

function Group({
  label,
  views,
  isShown,
  mayChange,
  onChoose,
  onEdit,
  onDelete,
}: {
  label: string
  views: readonly View[]
  isShown: (view: View) => boolean
  mayChange: boolean
  onChoose: (view: View) => void
  onEdit: (view: View) => void
  onDelete: (view: View) => void
}) {
  if (views.length === 0) return null
  return (
    <section aria-label={label}>
      <h3 className={styles['label']}>{label}</h3>
      <ul className={styles['list']}>
        {views.map((view) => (
          <li key={view.id} className={styles['view']}>
            <button
              type="button"
              className={styles['choose']}
              aria-pressed={isShown(view)}
              onClick={() => onChoose(view)}
            >
              <span className={styles['name']} dir="auto">
                {view.name}
              </span>
              {isShown(view) && <CheckOutlined aria-hidden />}
            </button>
            {mayChange && (
              <>
                <IconButton label={`Change the view ${view.name}`} onClick={() => onEdit(view)}>
                  <EditOutlined aria-hidden />
                </IconButton>
                <IconButton label={`Delete the view ${view.name}`} onClick={() => onDelete(view)}>
                  <DeleteOutlined aria-hidden />
                </IconButton>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const withoutAbsent = (query: object): object =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))

/** Returns whether two views show the same, regardless of the order of their filters. */
function isSame(left: object, right: object): boolean {
  const sorted = (_name: string, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value
  return JSON.stringify(left, sorted) === JSON.stringify(right, sorted)
}
