import { templateCategories } from '@parley/contracts/templates/templates'
import type { ReactNode } from 'react'
import { categoryLabels } from '../../../lib/category-labels.ts'
import styles from './rate-cards.module.css'

/** Prices with a column for each category. @param rows title of the first column. */
export const PriceTable = ({ rows, children }: { rows: string; children: ReactNode }) => (
  <table className={styles['rates']}>
    <thead>
      <tr>
        <th scope="col">{rows}</th>
        {templateCategories.map((category) => (
          <th key={category} scope="col">
            {categoryLabels[category]}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)
