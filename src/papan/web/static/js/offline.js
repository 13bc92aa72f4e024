// The page that stands where the server is gone: it asks until the server is back, then shows what was wanted.

setInterval(() => fetch("/api/v1/health").then(({ ok }) => { if (ok) location.reload(); }, () => {}), 2000);
