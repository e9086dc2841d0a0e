import StarOutlined from '@ant-design/icons/StarOutlined'
import { Button } from 'antd'
import { ViewsMenu } from '../../../ui/views-menu.tsx'
import { type ChangeUrl, type ContactsUrl, noFilters } from '../url.ts'
import type { Columns } from './columns.ts'
import styles from './contact-browser.module.css'

/** Saved views of contacts: filters, order and columns. */
export function ContactViews({ url, change, columns }: { url: ContactsUrl; change: ChangeUrl; columns: Columns }) {
  const { q, segment, tags, last, conditions, sort } = url
  return (
    <ViewsMenu
      screen="contacts"
      shown={{
        q,
        segment,
        conditions,
        sort,
        tags: tags?.length ? tags : undefined,
        lastContact: last,
        columns: columns.shown.map(({ key }) => key),
      }}
      onShow={({ columns: keys, lastContact, conditions, ...filters }) => {
        change({
          ...noFilters,
          sort: undefined,
          ...filters,
          last: lastContact,
          conditions: conditions && JSON.stringify(conditions),
        })
        if (keys) columns.choose(keys)
      }}
      button={
        // Its type is written out, since the popover names that of an HTML button.
        <Button type="default" icon={<StarOutlined aria-hidden />}>
          <span className={styles['onlyIcon']}>Views</span>
        </Button>
      }
    />
  )
}
