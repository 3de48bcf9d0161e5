// The list cut into pieces that are drawn together: a few rows of one group, or one row where there are no groups.
import type { Group } from '../ipc/bindings/Group'

/** Rows of one group that are drawn together. A longer group is drawn in several pieces. */
const ROWS = 8

export interface Chunk {
  group: Group | null
  from: number
  to: number
}

export function chunksOf(total: number, groups: Group[]): Chunk[] {
  if (groups.length === 0) return Array.from({ length: total }, (_, index) => ({ group: null, from: index, to: index + 1 }))
  return groups.flatMap((group) => {
    const end = Math.min(total, group.start + group.count)
    const chunks: Chunk[] = []
    for (let from = group.start; from < end; from += ROWS) chunks.push({ group, from, to: Math.min(end, from + ROWS) })
    return chunks
  })
}

/** The piece that holds a row. */
export function chunkOf(chunks: Chunk[], row: number): number {
  let [low, high] = [0, chunks.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((chunks[middle]?.to ?? 0) > row) high = middle
    else low = middle + 1
  }
  return low
}
