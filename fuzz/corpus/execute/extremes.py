def far(I):
    x1 = shift(asobject(I), (2047, -2048))
    x2 = insert((200, (9223372036854775807, -1)), x1)
    x3 = vmirror(x2)
    return outbox(x3)

def large(I):
    x1 = upscale(I, 90)
    x2 = interval(-5, 70000, 3)
    return product(x2, x1)
