"""Reports for people: text, CSV, LaTeX, figures, one page of HTML, and PDF."""
