"""What people read: pages, tables and figures made from Results only."""
