def a(I):
    if I: pass

def b(I):
    x = [i for i in I]
    return x + 1

class C: pass
def d(I, J): return 1.5
def e(I): return unknown(I)
def h(I): return fill(I, 1)
