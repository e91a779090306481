const KEPT = 20_000

export type Trace = ReturnType<typeof createTrace>

/** The trace of a run: a hash, which is equal for equal runs, and readable lines if wanted. */
export function createTrace({ elapsed, isKept }: { elapsed: () => number; isKept: boolean }) {
  const lines: string[] = []
  let [one, other] = [0xdeadbeef, 0x41c6ce57]

  /** One step of cyrb53. */
  function stir(text: string): void {
    for (let index = 0; index < text.length; index += 1) {
      const letter = text.charCodeAt(index)
      one = Math.imul(one ^ letter, 2654435761)
      other = Math.imul(other ^ letter, 1597334677)
    }
  }

  return {
    /** `detail` is part of the hash, but is not shown. */
    note(host: string, what: string, detail = ''): void {
      stir(`${elapsed()} ${host} ${what}\n`)
      if (detail) stir(detail)
      if (!isKept) return
      lines.push(`${(elapsed() / 1000).toFixed(3).padStart(9)} ${host.padEnd(6)} ${what}`)
      if (lines.length > KEPT) lines.splice(0, KEPT / 2)
    },
    get hash(): string {
      const high = (other ^ (other >>> 16)) >>> 0
      const low = (one ^ (one >>> 16)) >>> 0
      return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')
    },
    lines: lines as readonly string[],
  }
}
