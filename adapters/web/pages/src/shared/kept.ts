// What the reader chose, kept for the next visit: where the browser keeps nothing for pages,
// it is forgotten, and the page works as well.

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It is chosen for this visit alone.
  }
}
