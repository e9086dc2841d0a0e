import BranchesOutlined from '@ant-design/icons/BranchesOutlined'
import ClockCircleOutlined from '@ant-design/icons/ClockCircleOutlined'
import MessageOutlined from '@ant-design/icons/MessageOutlined'
import TagOutlined from '@ant-design/icons/TagOutlined'
import ThunderboltOutlined from '@ant-design/icons/ThunderboltOutlined'
import styles from './feature-visuals.module.css'
import { Icon } from './icon.tsx'

/** The sample flow of the specification: a keyword, a message, a check of the business hours. */
export function BuilderVisual() {
  return (
    <div className={styles['flow']}>
      <div className={styles['node']} data-kind="trigger">
        <Icon of={ThunderboltOutlined} />
        Keyword match
      </div>
      <div className={styles['node']} data-kind="action">
        <Icon of={MessageOutlined} />
        Send message
      </div>
      <div className={styles['node']} data-kind="condition">
        <Icon of={BranchesOutlined} />
        Business hours?
      </div>
    </div>
  )
}

/** A template as the customer will read it. */
export function TemplateVisual() {
  return (
    <div className={styles['stack']}>
      <div className={styles['line']}>
        <b>order_update</b>
        <span className={styles['status']} data-tone="success">
          Approved
        </span>
      </div>
      <div className={styles['message']}>
        Hi <mark>{'{{name}}'}</mark>, your order <mark>{'{{order}}'}</mark> is on its way.
      </div>
    </div>
  )
}

/** An event and the steps it starts. */
export function WorkflowVisual() {
  return (
    <ol className={styles['steps']}>
      <li>
        <Icon of={ThunderboltOutlined} />
        Contact asks for a price
      </li>
      <li>
        <Icon of={TagOutlined} />
        Add tag <span className={styles['pill']}>Lead</span>
      </li>
      <li>
        <Icon of={ClockCircleOutlined} />
        Wait a day, then follow up
      </li>
    </ol>
  )
}
